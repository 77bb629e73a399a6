"""Measures Goals beside its peers: see README.md here, and `make bench`.

    python bench --rounds 5 --seconds 3 --only bumps --only lists
"""

from __future__ import annotations

import argparse
import fcntl
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import chart
import fixtures
import machine
import places
import report
from parts import Part, chosen, parts
from running import Failure, Json
from servers import allow_many_files


def main() -> int:
    options = read_options()
    if options.report:
        publish(json.loads((places.PUBLISHED / places.RESULTS).read_text()))
        return 0
    wanted = chosen(options.only)
    if options.list:
        for name, title, _ in wanted:
            print(f"{name:26}{title}")
        return 0
    machine.require_tools()
    allow_many_files()
    # As an interrupt does, this ends what was started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    places.WORK.mkdir(parents=True, exist_ok=True)
    lock = (places.WORK / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Failure(f"another one runs in {places.WORK}") from error
    build_counter()
    fixtures.forget_others()
    print(report.write(measure(wanted, options), places.LATEST))
    return 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measures Goals beside its peers.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each server has its turn")
    parser.add_argument("--seconds", type=int, default=3, help="how long a turn is")
    parser.add_argument("--only", action="append", default=[], help="what has this in its name; may be given several times")
    parser.add_argument("--list", action="store_true", help="list what would be measured")
    parser.add_argument("--report", action="store_true", help="only write the pages and the chart of what is published")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds < 1:
        parser.error("at least one round of one second")
    options.only = [word for words in options.only if words for word in words.split(",")]
    return options


def measure(wanted: list[Part], options: argparse.Namespace) -> Json:
    """Measures, and keeps what it has after each part. What is all of it, and long enough, is published."""
    watch = machine.Watch()
    results: Json = {
        "machine": machine.machine(), "versions": machine.versions(), "date": machine.today(),
        "rounds": options.rounds, "seconds": options.seconds,
    }  # fmt: skip
    places.LATEST.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    for name, title, part in wanted:
        print(f"{time.monotonic() - began:5.0f} s  {title}", file=sys.stderr, flush=True)
        *folders, last = name.split("/")
        place = results
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = part(options.rounds, options.seconds)
        results["meanwhile"] = watch.seen()
        save(results, places.LATEST)
    print(f"{time.monotonic() - began:5.0f} s  done\n", file=sys.stderr)
    chart.draw(results, places.LATEST / places.CHART)
    reasons = machine.doubts(results)
    if len(wanted) < len(parts()):
        reasons.append("not everything was measured")
    if not report.is_long_enough(results):
        reasons.append(f"what is published was measured {report.LEAST}")
    if reasons:
        print(f"bench: not published, but in {places.LATEST}: {'; '.join(reasons)}", file=sys.stderr)
    else:
        save(results, places.PUBLISHED)
        publish(results)
    return results


def save(results: Json, folder: Path) -> None:
    (folder / places.RESULTS).write_text(json.dumps(results, indent=1) + "\n")


def publish(results: Json) -> None:
    report.write(results, places.PUBLISHED)
    chart.draw(results, places.PUBLISHED / places.CHART)
    places.README.write_text(report.with_table(places.README.read_text(), results))


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
