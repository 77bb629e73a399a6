"""What is measured, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import browsing
import elsewhere
import growth
import instructions
import micro
import scenarios
import streams
from running import Failure

Part = tuple[str, str, Callable[[int, int], Any]]


def parts() -> list[Part]:
    """Everything that is measured, in order: where it goes in the results, what it is called, how."""
    side_by_side: list[Part] = [
        (f"scenarios/{scenario.name}", scenario.title, functools.partial(scenarios.measure, scenario))
        for scenario in scenarios.SCENARIOS
    ]
    curves: list[Part] = [
        (f"growth/{name}", f"growth: {curve.title}", functools.partial(growth.measure, curve))
        for name, curve in growth.CURVES.items()
    ]
    return [
        *side_by_side,
        ("streams", "ten thousand streams", lambda rounds, _: streams.measure(rounds)),
        ("elsewhere", "what another server knows of a bump", lambda rounds, _: elsewhere.measure(rounds)),
        ("idle", "idle memory", lambda rounds, _: growth.idle(rounds)),
        ("binary", "the binary's size", lambda *_: growth.binary()),
        ("engine", "the size of the page's engine", lambda *_: growth.engine()),
        ("archive", "import and verification", lambda rounds, _: growth.archive(rounds)),
        *curves,
        ("start", "first answer after the start", lambda rounds, _: growth.start_up(rounds)),
        ("tour", "memory as accounts come by", lambda *_: growth.tour()),
        ("micro", "the parts of a request, in process", lambda *_: micro.measure()),
        ("worst", "the list of the account that takes longest, in process", lambda *_: micro.measure("worst")),
        ("device", "what a device does that counts by itself, in process", lambda *_: micro.measure("device")),
        ("page", "the page in a browser, on a slow phone", lambda rounds, _: browsing.measure(rounds)),
        ("instructions", "instructions of a bump", lambda *_: instructions.measure()),
    ]


def chosen(words: list[str]) -> list[Part]:
    """The parts that are named; all where no name is given. A word names the part it is the whole name of, or
    else those that have it in their names. One that names none is refused."""
    known = parts()
    if not words:
        return known
    names = [part[0] for part in known]
    named: set[str] = set()
    for word in words:
        found = [name for name in names if name == word or name.endswith("/" + word)]
        found = found or [name for name in names if word and word in name]
        if not found:
            raise Failure(f"nothing that is measured is called {word!r}: {', '.join(names)}")
        named.update(found)
    return [part for part in known if part[0] in named]
