"""The results as a page, as the table of the README, and for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chart
import places
from growth import CURVES
from running import Json
from scenarios import SCENARIOS
from servers import TITLES
from targets import judged

README_MARK = re.compile(r"(<!-- speed: written by `make bench` -->\n).*?(<!-- end of speed -->)", re.DOTALL)
# Less than this is a look, and not fit to be shown.
LEAST_ROUNDS, LEAST_SECONDS = 3, 2


def write(results: Json, folder: Path) -> str:
    """Writes the page and the chart beside the results, and the README's table; answers the page."""
    text = page(results)
    (folder / places.RESULTS_PAGE.name).write_text(text)
    if any(scenario.name in results.get("scenarios", {}) for scenario in SCENARIOS):
        chart.draw(results, folder / places.CHART.name)
    if folder == places.RESULTS_JSON.parent and is_fit(results):
        readme = places.README.read_text()
        table = short_table(results)
        places.README.write_text(README_MARK.sub(lambda marks: f"{marks[1]}{table}{marks[2]}", readme))
    return text


def is_fit(results: Json) -> bool:
    """Whether everything was measured, and long enough, for others to read."""
    measured = results.get("measured", {})
    return set(results.get("scenarios", {})) == {scenario.name for scenario in SCENARIOS} and all(
        part["rounds"] >= LEAST_ROUNDS and part["seconds"] >= LEAST_SECONDS for part in measured.values()
    )


# The page


def page(results: Json) -> str:
    parts = [
        "# How fast\n\nWritten by `make bench` ([README.md](README.md) says what is measured and how).\n",
        where(results),
        f"![Goals beside its peers]({places.CHART.name})\n" if results.get("scenarios") else "",
        target_table(results),
        *(scenario_table(results["scenarios"][s.name]) for s in SCENARIOS if s.name in results.get("scenarios", {})),
        stream_table(results),
        growth_table(results),
        single_table(results),
        micro_table(results),
        f"Measured: {when(results)}.\n",
    ]
    return "\n".join(part for part in parts if part)


def where(results: Json) -> str:
    machine, versions = results["machine"], results["versions"]
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['memoryGB']} GB, {machine['system']}, "
        f"Linux {machine['kernel']}, {machine['fileSystem']}. Goals {versions['goals']} ({versions['commit']}), "
        f"Swift {versions['swift']}, SQLite {versions['sqlite']}; Hummingbird {versions['hummingbird']}, "
        f"GRDB {versions['grdb']}; FastAPI {versions['fastapi']}, uvicorn {versions['uvicorn']}, "
        f"Python {versions['python']}; nginx {versions['nginx']}; wrk {versions['wrk']}.\n"
    )


def when(results: Json) -> str:
    """One date for what was measured together, else each part's own."""
    by_run = runs(results)
    if len(by_run) == 1:
        return next(iter(by_run))
    return "; ".join(f"{run}: {', '.join(names)}" for run, names in by_run.items())


def runs(results: Json) -> dict[str, list[str]]:
    """When and how often what was measured."""
    by_run: dict[str, list[str]] = {}
    for name, part in results.get("measured", {}).items():
        turns = "1 round" if part["rounds"] == 1 else f"{part['rounds']} rounds"
        by_run.setdefault(f"{part['at'][:10]}, {turns} of {part['seconds']} s", []).append(name)
    return by_run


def target_table(results: Json) -> str:
    rows = []
    for row in judged(results):
        sign = "≤" if row["falls"] else "≥"
        aim = "" if row["aim"] is None else f"{sign} {number(row['aim'])}"
        verdict = "aim met" if row["aimMet"] else "met" if row["met"] else "**not met**"
        rows.append([row["title"], f"{number(row['value'])} {row['unit']}", f"{sign} {number(row['owed'])}", aim, verdict])
    return table("## What is owed", ["", "Goals", "owed", "aim", ""], rows)


def scenario_table(measured: Json) -> str:
    header = [
        "", "requests/s", "p50 ms", "p95 ms", "p99 ms", "requests/CPU-s", "edits/CPU-s", "edits/sync", "memory MB",
        "bytes/edit",
    ]  # fmt: skip
    rows = []
    for name, values in measured["servers"].items():
        cpu = values.get("cpuPerEdit", {}).get("median")
        rows.append([
            TITLES[name],
            ranged(values["rate"]),
            *(ranged(values[point], 1000) for point in ("p50", "p95", "p99")),
            ranged(values["perCpuSecond"]),
            number(1 / cpu) if cpu else "",
            number(values.get("editsPerSync")),
            number(values["rss"] / 1e6),
            number(values.get("bytesPerEdit")),
        ])  # fmt: skip
    return table(f"## {capitalized(measured['title'])}", header, rows)


def stream_table(results: Json) -> str:
    if "streams" not in results:
        return ""
    rows = [
        [
            TITLES[name],
            ranged(values["first"], 1000),
            ranged(values["last"], 1000),
            ranged(values["cpuPerEvent"], 1000),
            number(values["bytesPerStream"]["median"]),
            number(values["bytesPerStreamAfterEvents"]["median"]),
        ]
        for name, values in results["streams"]["servers"].items()
    ]
    header = ["", "the first has it, ms", "the last has it, ms", "CPU ms", "bytes/stream", "and after events"]
    return table(f"## {capitalized(results['streams']['title'])}", header, rows)


def growth_table(results: Json) -> str:
    rows = []
    for name in CURVES:
        curve = results.get("growth", {}).get(name)
        for point in curve["points"] if curve else []:
            rows.append([
                f"{point['size']:,} {curve['title']}",
                ranged(point["cpuPerEdit"], 1e6),
                f"{point['ratio']:.2f}",
                ranged(point["rate"]),
            ])  # fmt: skip
    return table("## As it grows", ["", "CPU µs/bump", "over the least", "bumps/s, 64 connections"], rows)


def single_table(results: Json) -> str:
    rows = []

    def add(part: str, title: str, value: Any) -> None:
        if part in results:
            rows.append([title, value(results[part])])

    add("idle", "idle memory, MB", lambda part: ranged(part, 1e-6))
    add("start", "from start to first list, ms", lambda part: ranged(part, 1000))
    add("start-million", "the same, a million edits in the log, ms", lambda part: ranged(part, 1000))
    add("binary", "release binary, MB", lambda part: number(part["built"] / 1e6))
    add("binary", "the same, stripped, MB", lambda part: number(part["stripped"] / 1e6))
    add("archive", "import, edits/s", lambda part: number(part["import"]))
    add("archive", "verification, edits/s", lambda part: number(part["verify"]))
    add("archive", "bytes of the database an edit, imported", lambda part: number(part["bytesPerEdit"]))
    add("tour", "memory before 100,000 accounts, MB", lambda part: number(part["before"] / 1e6))
    add("tour", "memory after each has asked for its list, MB", lambda part: number(part["after"] / 1e6))
    add("tour", "most meanwhile, MB", lambda part: number(part["peak"] / 1e6))
    return table("## By itself", ["", "Goals"], rows)


def micro_table(results: Json) -> str:
    rows = [
        [part["name"], number(part["median"]), f"{number(part['low'])} to {number(part['high'])}"]
        for part in results.get("micro", [])
    ]
    return table("## Parts of a request, in process", ["", "ns", "lowest to highest"], rows)


# The README's table


def short_table(results: Json) -> str:
    names = ("goals", "hummingbird", "fastapi", "nginx")
    rows = []

    def add(title: str, scenario: str, value: str, scale: float = 1) -> None:
        servers = results["scenarios"][scenario]["servers"]
        cells = [number(servers[name][value]["median"] * scale) if name in servers else "" for name in names]
        rows.append([title, *cells])

    for connections in (1, 16, 64, 256):
        plural = "s" if connections > 1 else ""
        add(f"durable bumps a second, {connections} connection{plural}", f"bumps-{connections}", "rate")
    add("95 % of them answered within, ms (64 connections)", "bumps-64", "p95", 1000)
    add("lists of 20 goals a CPU-second", "lists", "perCpuSecond")
    add("90 % lists, 10 % bumps, a CPU-second", "mixed", "perCpuSecond")
    if "streams" in results:
        streams = results["streams"]["servers"]
        cells = [number(streams[name]["last"]["median"] * 1000) if name in streams else "" for name in names]
        rows.append([f"an event reaches all of {results['streams']['streams']:,} streams in, ms", *cells])
    machine = results["machine"]
    place = (
        f"On {machine['cores']} cores of an {machine['processor']}, {' or '.join(runs(results))}; "
        "[every figure](Benchmarks/RESULTS.md).\n"
    )
    picture = f"![Goals beside its peers](Benchmarks/{places.CHART.name})\n"
    return f"{picture}\n{table('', ['', *(TITLES[name] for name in names)], rows)}\n{place}"


# How things are written


def table(title: str, header: list[str], rows: Iterable[list[str]]) -> str:
    rows = list(rows)
    if not rows:
        return ""
    lines = [
        f"| {' | '.join(header)} |",
        f"| {' | '.join(['---', *['---:'] * (len(header) - 1)])} |",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return (f"{title}\n\n" if title else "") + "\n".join(lines) + "\n"


def number(value: float | None) -> str:
    """Three digits that count; all of what is before the point."""
    if value is None:
        return ""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:,.{digits}f}"


def ranged(spread: Json, scale: float = 1) -> str:
    if spread["median"] is None:
        return ""
    low, middle, high = (number(spread[name] * scale) for name in ("low", "median", "high"))
    return f"{middle} ({low} to {high})"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
