"""The results as a page, as the table of the README, and for the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import places
from growth import CURVES
from running import Failure, Json
from scenarios import SCENARIOS, Scenario, turns
from servers import TITLES
from targets import AIMS, judged
from writing import capitalized, number, ranged, table

README_MARK = re.compile(r"(<!-- speed: written by `make bench` -->\n).*?(<!-- end of speed -->)", re.DOTALL)
# Less than this is a look, and not fit to be shown.
LEAST_ROUNDS, LEAST_SECONDS = 3, 2
LEAST = f"with at least {LEAST_ROUNDS} rounds of {LEAST_SECONDS} s"


def is_long_enough(results: Json) -> bool:
    return results["rounds"] >= LEAST_ROUNDS and results["seconds"] >= LEAST_SECONDS


def write(results: Json, folder: Path) -> str:
    """Writes the page beside the results; answers it."""
    text = page(results)
    (folder / places.PAGE).write_text(text)
    return text


def with_table(readme: str, results: Json) -> str:
    """The README with the table of these results."""
    table = short_table(results)
    text, count = README_MARK.subn(lambda marks: f"{marks[1]}{table}{marks[2]}", readme)
    if count != 1:
        raise Failure("the README has no place for the table, or several")
    return text


# The page


def page(results: Json) -> str:
    parts = [
        "# How fast\n\nWritten by `make bench` ([README.md](README.md) says what is measured and how).\n",
        where(results),
        f"![Goals beside its peers]({places.CHART})\n" if results.get("scenarios") else "",
        target_table(results),
        *(scenario_table(s, results["scenarios"][s.name]) for s in SCENARIOS if s.name in results.get("scenarios", {})),
        stream_table(results),
        elsewhere_table(results),
        growth_table(results),
        start_table(results),
        archive_table(results),
        tour_table(results),
        single_table(results),
        micro_table(results),
        device_table(results),
        page_table(results),
    ]
    return "\n".join(part for part in parts if part)


def where(results: Json) -> str:
    machine, versions, meanwhile = results["machine"], results["versions"], results["meanwhile"]
    postgresql = f"PostgreSQL {versions['postgresql']}; " if "postgresql" in versions else ""
    return (
        f"{results['date']}, in one run. {machine['processor']}, {machine['cores']} cores, {machine['memoryGB']} GB, "
        f"{machine['system']}, Linux {machine['kernel']}, {machine['fileSystem']}; {meanwhile['busyBefore']:.0%} busy "
        f"before, and {meanwhile['stolen']:.0%} of its time taken by its host meanwhile. "
        f"Goals {versions['goals']} ({versions['commit']}), "
        f"Swift {versions['swift']}, SQLite {versions['sqlite']}; Hummingbird {versions['hummingbird']}, "
        f"GRDB {versions['grdb']}; FastAPI {versions['fastapi']}, uvicorn {versions['uvicorn']}, "
        f"Python {versions['python']} with SQLite {versions['pythonSQLite']}; nginx {versions['nginx']}; "
        f"{postgresql}"
        f"wrk {versions['wrk']}.\n\n"
        "Medians, and in brackets the lowest and the highest.\n"
    )


def target_table(results: Json) -> str:
    rows = []
    for row in judged(results) + judged(results, AIMS):
        sign = "≤" if row["falls"] else "≥"
        owed, aim = ("" if row[bound] is None else f"{sign} {number(row[bound])}" for bound in ("owed", "aim"))
        missed = "aim not met" if row["met"] is None else "**not met**"
        verdict = "aim met" if row["aimMet"] else "met" if row["met"] else missed
        rows.append([row["title"], f"{number(row['value'])} {row['unit']}", owed, aim, verdict])
    return table("## What is owed", ["", "Goals", "owed", "aim", ""], rows)


# Of servers on PostgreSQL: the name of a value, its title, and what to multiply it with.
SHARED_COLUMNS = [("databaseCpuPerEdit", "database CPU µs/edit", 1e6), ("overtakenPerEdit", "overtaken/edit", 1)]


def scenario_table(scenario: Scenario, measured: Json) -> str:
    columns = SHARED_COLUMNS if scenario.shares else []
    header = [
        "", "requests/s", "p50 ms", "p95 ms", "p99 ms", "requests/CPU-s", "edits/CPU-s", "edits/sync", "memory MB",
        "bytes/edit", *(title for _, title, _ in columns),
    ]  # fmt: skip
    rows = []
    writes, all_bumps = scenario.load.writes, scenario.load.bumps == 100
    for name in scenario.servers:
        values = measured["servers"][name]
        rows.append([
            TITLES[name],
            ranged(values["rate"]),
            *(ranged(values[point], 1000) for point in ("p50", "p95", "p99")),
            ranged(values["perCpuSecond"]),
            ranged(values["editsPerCpuSecond"]) if all_bumps else "",
            number(values["editsPerSync"]) if writes else "",
            ranged(values["rss"], 1e-6),
            number(values["bytesPerEdit"]) if writes else "",
            *(ranged(values[name], scale) if name in values else "" for name, _, scale in columns),
        ])  # fmt: skip
    return table(f"## {capitalized(measured['title'])}", header, rows, measured["runs"])


def stream_table(results: Json) -> str:
    if "streams" not in results:
        return ""
    rows = [
        [
            TITLES[name],
            ranged(values["first"], 1000),
            ranged(values["last"], 1000),
            ranged(values["cpuPerEvent"], 1000),
            ranged(values["bytesPerStream"]),
            ranged(values["bytesPerStreamAfterEvents"]),
        ]
        for name, values in results["streams"]["servers"].items()
    ]
    header = ["", "the first has it, ms", "the last has it, ms", "CPU ms", "bytes/stream", "and after events"]
    return table(f"## {capitalized(results['streams']['title'])}", header, rows, results["streams"]["runs"])


def elsewhere_table(results: Json) -> str:
    if "elsewhere" not in results:
        return ""
    part = results["elsewhere"]
    titles = {
        "hinted": "its event on another server",
        "unhinted": "the same, where servers can't give each other hints",
        "listHere": "a list of the server that has answered it",
        "listElsewhere": "a list of another server, right after the answer",
    }
    rows = [[title, *(number(part[name][point] * 1e3) for point in ("median", "p95", "high"))] for name, title in titles.items()]
    title = "## A bump, as another server on the same PostgreSQL knows of it"
    return table(title, ["", "p50 ms", "p95 ms", "longest ms"], rows, part["runs"])


def growth_table(results: Json) -> str:
    curves = [results["growth"][name] for name in CURVES if name in results.get("growth", {})]
    rows = [
        [
            f"{point['size']:,} {curve['title']}",
            ranged(point["cpuPerEdit"], 1e6),
            f"{point['ratio']:.2f}",
            ranged(point["rate"]),
            number(point["rss"] / 1e6),
            number(point["bytesPerEdit"]),
        ]
        for curve in curves
        for point in curve["points"]
    ]
    header = ["", "CPU µs/bump", "over the least", "bumps/s, 64 connections", "memory MB", "bytes/bump"]
    return table("## A bump, as it grows", header, rows, curves[0]["runs"]) if curves else ""


def start_table(results: Json) -> str:
    if "start" not in results:
        return ""
    rows = [
        [f"{point['size']:,} edits in the log", ranged(point["stopped"], 1000), ranged(point["killed"], 1000)]
        for point in results["start"]["points"]
    ]
    header = ["", "it was stopped, ms", "it was killed under load, ms"]
    return table("## From the start to the first list, as the log grows", header, rows, results["start"]["runs"])


def archive_table(results: Json) -> str:
    if "archive" not in results:
        return ""
    rows = [
        [
            f"{point['size']:,} edits",
            ranged(point["import"]),
            ranged(point["verify"]),
            number(point["bytesPerEdit"]),
        ]
        for point in results["archive"]["points"]
    ]
    header = ["", "imported/s", "verified/s", "bytes of the database an edit"]
    return table("## Import and verification, as the log grows", header, rows, results["archive"]["runs"])


def tour_table(results: Json) -> str:
    if "tour" not in results:
        return ""
    tour = results["tour"]
    rows = [
        [f"{point['lists']:,}", number(point["rss"] / 1e6)] for point in tour["points"]
    ] + [["most meanwhile", number(tour["peak"] / 1e6)]]
    title = f"## Memory, as {tour['accounts']:,} accounts ask for their lists in turn"
    return table(title, ["lists", "memory MB"], rows, tour["runs"])


def single_table(results: Json) -> str:
    rows = []
    if "idle" in results:
        rows.append([f"idle memory, MB ({results['idle']['runs']})", ranged(results["idle"], 1e-6)])
    if "binary" in results:
        rows.append(["release binary, MB", number(results["binary"]["built"] / 1e6)])
        rows.append(["the same, stripped, MB", number(results["binary"]["stripped"] / 1e6)])
    if "engine" in results:
        rows.append(["the page's engine (WebAssembly), kB", number(results["engine"]["built"] / 1e3)])
        rows.append(["the same, as it is sent (Brotli), kB", number(results["engine"]["sent"] / 1e3)])
    if "instructions" in results:
        counted = results["instructions"]
        rows.append([
            f"instructions of a bump in user space, 64 connections (callgrind, {counted['bumps']:,} bumps)",
            number(counted["perBump"]),
        ])  # fmt: skip
    return table("## By itself", ["", "Goals"], rows)


def micro_table(results: Json) -> str:
    rows = [
        [part["name"], number(part["median"]), f"{number(part['low'])} to {number(part['high'])}"]
        for part in results.get("micro", []) + results.get("worst", [])
    ]
    return table("## Parts of a request, in process", ["", "ns", "lowest to highest"], rows)


def device_table(results: Json) -> str:
    rows = [
        [
            part["name"].removeprefix("device: "),
            number(part["median"]) if "median" in part else "",
            f"{number(part['low'])} to {number(part['high'])}" if "median" in part else "",
            number(part["bytes"]) if "bytes" in part else "",
        ]
        for part in results.get("device", [])
    ]
    title = "## A device that counts by itself, in process"
    return table(title, ["", "ns", "lowest to highest", "bytes"], rows)


def page_table(results: Json) -> str:
    if "page" not in results:
        return ""
    part = results["page"]
    rows = [
        ["first visit: the first paint, ms", ranged(part["paint"], 1e3)],
        ["a tap on a ring counts, ms", ranged(part["bump"], 1e3)],
        ["the frame with what that tap changed, ms", ranged(part["shown"], 1e3)],
        ["sent by the server until the page can start without it, kB", ranged(part["sent"], 1e-3)],
        ["next visit, without the server: the first paint, ms", ranged(part["offlinePaint"], 1e3)],
        ["the goals as they were, ms", ranged(part["offlineGoals"], 1e3)],
        ["a tap on a ring counts, ms", ranged(part["offlineBump"], 1e3)],
        ["with 200 goals and ten years of ten bumps a day: from a tap to its frame, ms", ranged(part["tap"], 1e3)],
    ]
    return table("## The page, on a slow phone", ["", "Goals"], rows, part["runs"])


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
    streams = results["streams"]["servers"]
    cells = [number(streams[name]["last"]["median"] * 1000) if name in streams else "" for name in names]
    rows.append([f"an event reaches all of {results['streams']['streams']:,} streams in, ms", *cells])
    machine = results["machine"]
    place = (
        f"On {machine['cores']} cores of an {machine['processor']}, {results['date'][:10]}, medians of "
        f"{turns(results['rounds'], results['seconds'])}; [every figure](Benchmarks/{places.PAGE}).\n"
    )
    picture = f"![Goals beside its peers](Benchmarks/{places.CHART})\n"
    return f"{picture}\n{table('', ['', *(TITLES[name] for name in names)], rows)}\n{place}"
