"""Measures Goals beside its peers: see README.md here, and `make bench`.

    python bench --rounds 5 --seconds 3 --only bumps --only lists
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fixtures
import growth
import machine
import micro
import places
import report
import scenarios
import streams
from fixtures import Fixture
from running import Failure, Json
from servers import allow_many_files

Part = tuple[str, str, Callable[[int, float], Any]]


def parts() -> list[Part]:
    """Everything that is measured, in order: where it goes in the results, what it is called, how."""
    side_by_side: list[Part] = [
        (f"scenarios/{scenario.name}", scenario.title, lambda rounds, seconds, it=scenario: scenarios.measure(it, rounds, seconds))
        for scenario in scenarios.SCENARIOS
    ]
    curves: list[Part] = [
        (f"growth/{name}", f"growth: {title}", lambda rounds, seconds, it=name: growth.measure_curve(it, min(3, rounds), min(2, seconds)))
        for name, (title, _, _) in growth.CURVES.items()
    ]
    return [
        *side_by_side,
        ("streams", "ten thousand streams", streams.measure),
        ("idle", "idle memory", lambda rounds, _: growth.idle(rounds)),
        ("start", "first answer after the start", lambda rounds, _: growth.start_up(rounds, Fixture())),
        ("binary", "the binary's size", lambda *_: growth.binary()),
        ("archive", "import and verification of a million edits", lambda *_: growth.archive()),
        *curves,
        (
            "start-million",
            "first answer with a million edits",
            lambda rounds, _: growth.start_up(rounds, Fixture(bumps=growth.MILLION)),
        ),
        ("tour", "memory when 100,000 accounts come by", lambda *_: growth.tour()),
        ("micro", "the parts of a request, in process", lambda *_: micro.measure()),
    ]


def main() -> int:
    options = read_options()
    if options.list:
        for name, title, _ in parts():
            print(f"{name:22}{title}")
        return 0
    if options.report:
        report.write(json.loads(options.results.read_text()), options.results.parent)
        return 0
    wanted = [part for part in parts() if not options.only or is_named(part[0], options.only)]
    if not wanted:
        print("bench: nothing has such a name; --list lists them", file=sys.stderr)
        return 64
    allow_many_files()
    places.WORK.mkdir(parents=True, exist_ok=True)
    build_counter()
    fixtures.forget_others()
    results = begin(options.results)
    began = time.monotonic()
    for name, title, measure in wanted:
        print(f"{time.monotonic() - began:5.0f} s  {title}", file=sys.stderr, flush=True)
        value = measure(options.rounds, options.seconds)
        keep(results, name, value, options)
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    print(f"{time.monotonic() - began:5.0f} s  done\n", file=sys.stderr)
    print(report.write(results, options.results.parent))
    return 0


def is_named(name: str, words: list[str]) -> bool:
    """By a word that is its whole name, or that only some names hold."""
    names = [part for part, _, _ in parts()]
    return any(
        name.endswith("/" + word) or name == word
        if any(other.endswith("/" + word) or other == word for other in names)
        else word in name
        for word in words
    )


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measures Goals beside its peers.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each server has its turn")
    parser.add_argument("--seconds", type=int, default=3, help="how long a turn is")
    parser.add_argument("--only", action="append", default=[], help="what has this in its name; may be given several times")
    parser.add_argument("--results", type=Path, default=places.RESULTS_JSON, help="where the results are kept")
    parser.add_argument("--list", action="store_true", help="list what is measured")
    parser.add_argument("--report", action="store_true", help="only write the page and the chart of what is kept")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds < 1:
        parser.error("at least one round of one second")
    options.only = [word for words in options.only for word in words.split(",") if word]
    return options


def begin(path: Path) -> Json:
    """The results so far, if the same machine measured the same binary beside the same peers: then parts
    can be measured anew. The commit may be another, if it changed nothing of that."""
    fresh: Json = {"machine": machine.machine(), "versions": machine.versions()}
    if path.exists():
        kept = json.loads(path.read_text())
        kept_versions = {**kept["versions"], "commit": fresh["versions"]["commit"]}
        if kept["machine"] == fresh["machine"] and kept_versions == fresh["versions"]:
            return kept
        print("bench: what was kept is of another binary or machine, and is left out", file=sys.stderr)
    return fresh


def keep(results: Json, name: str, value: Any, options: argparse.Namespace) -> None:
    *folders, last = name.split("/")
    place = results
    for folder in folders:
        place = place.setdefault(folder, {})
    place[last] = value
    measured = results.setdefault("measured", {})
    measured[name] = {"at": machine.today(), "rounds": options.rounds, "seconds": options.seconds}


def build_counter() -> None:
    source = places.BENCHMARKS / "count_syncs.c"
    if not places.COUNTER.exists() or places.COUNTER.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["clang", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", places.COUNTER, source], check=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"bench: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
