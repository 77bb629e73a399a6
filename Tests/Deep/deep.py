"""Runs the rigs of Tests/Deep one after the other, the soak beside them, and prints a table.

    python Tests/Deep/deep.py [--quick] [--seed N] [--only power,history] [--soak MINUTES]
        [--write docs/reliability.md] [--skips-allowed]

Each rig has a control, something that must go wrong, and breaks where it does not. What this
machine lets no rig try is listed at the end, and counts as a failure unless --skips-allowed is
given. --write puts the table into a page; the lines of rigs that were not run stay there.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "BlackBox"))
# The rigs run beside each other, for an hour, on whatever machine there is.
os.environ.setdefault("PATIENCE", "6")

import sanitizers
from goals_server import ROOT, binary
from rig import Deep, NotHere, own_mounts

# The two sanitizers are of one module; every other rig is the `run` of the module of its name.
SANITIZERS = ["thread_sanitizer", "address_sanitizer"]
RIGS = ["power", "faults", "kills", "torn", "surroundings", "history", "cluster", "installed", *SANITIZERS, "soak"]
COLUMNS = ("rig", "result", "tried", "controls", "time", "run")
HEAD = (
    "| rig | result | what was tried | controls, which went wrong as they must | time | run |",
    "| --- | --- | --- | --- | --- | --- |",
)
MARKS = ("<!-- figures: written by make test-deep -->", "<!-- end of figures -->")


def run(name: str, deep: Deep) -> dict[str, str]:
    print(f"{name} (seed {deep.seed})", flush=True)
    began = time.monotonic()
    row = {"rig": name, "result": "held", "tried": "", "controls": "", "run": heading(deep)}
    try:
        report = getattr(sanitizers, name)(deep) if name in SANITIZERS else importlib.import_module(name).run(deep)
        row |= {"tried": report.tried, "controls": "; ".join(report.controls)}
        if not report.controls:
            row |= {"result": "FAILED", "tried": "it has no control"}
    except NotHere as missing:
        row |= {"result": "SKIPPED", "tried": f"needs {missing}"}
    except Exception as error:  # noqa: BLE001 - a rig that breaks in any way has shown nothing
        traceback.print_exc()
        row |= {"result": "FAILED", "tried": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}
    row["time"] = f"{(time.monotonic() - began) / 60:.1f} min"
    print(f"{name}: {row['result']}, {row['tried']} ({row['time']})\n", flush=True)
    return row


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return f"{os.cpu_count()} cores, {model[1] if model else platform.machine()}, {memory:.0f} GB, Linux {platform.release()}"


def heading(deep: Deep) -> str:
    """What was run, when and how."""
    asked = [binary(), "--version"]
    version = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT)]
    asked = [*git, "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
    if subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "Sources", "Migrations"]).returncode:
        commit += ", altered"
    quick = ", quick" if deep.quick else ""
    return f"{datetime.datetime.now(datetime.UTC).date()}, goals {version} ({commit}), seed {deep.seed}{quick}"


def lines(rows: list[dict[str, str]]) -> dict[str, str]:
    """The rigs' lines in the table, by their names."""
    cells = {row["rig"]: [row[name].replace("|", "/") for name in COLUMNS] for row in rows}
    return {rig: "| " + " | ".join(cells[rig]) + " |" for rig in RIGS if rig in cells}


def table(lines: dict[str, str]) -> str:
    ordered = [lines[rig] for rig in RIGS if rig in lines]
    return "\n".join([f"{machine()}.", "", *HEAD, *ordered])


def write(page: Path, rows: list[dict[str, str]]) -> None:
    """Puts the rows into the page's table; of rigs that were not run, the lines stay."""
    before, _, rest = page.read_text().partition(MARKS[0])
    old, _, after = rest.partition(MARKS[1])
    stay = {line.split(" | ")[0].removeprefix("| "): line for line in old.splitlines()}
    page.write_text(f"{before}{MARKS[0]}\n{table(stay | lines(rows))}\n{MARKS[1]}{after}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a minute or two for each rig, and no sanitizers")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--only", default="", help=f"some of {','.join(RIGS)}")
    parser.add_argument("--soak", type=float, help="minutes of the soak (60; quick: 2)")
    parser.add_argument("--skips-allowed", action="store_true")
    parser.add_argument("--write", type=Path, help="the page whose table is to be replaced")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name] or [name for name in RIGS if not (options.quick and name in SANITIZERS)]
    if unknown := set(names) - set(RIGS):
        parser.error(f"no rig {', '.join(sorted(unknown))}")
    own_mounts()
    folder = Path(tempfile.mkdtemp(prefix="goals-deep-"))
    folder.chmod(0o755)
    deep = Deep(folder, options.seed, options.quick, options.soak or (2 if options.quick else 60))
    print(f"seed {options.seed}, in {folder}, {machine()}\n", flush=True)
    beside = None
    if "soak" in names and len(names) > 1 and not options.quick:
        names.remove("soak")
        command = [sys.executable, __file__, "--only", "soak", "--seed", str(options.seed), "--soak", str(deep.soak_minutes)]
        log = (folder / "soak.log").open("w+")
        beside = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    rows: list[dict[str, str]] = []

    def keep(row: dict[str, str]) -> None:
        rows.append(row)
        if options.write:  # of each rig as it ends: a run that is cut short has these, too
            write(options.write, [row])

    for name in names:
        keep(run(name, deep))
    if beside:
        beside.wait()
        log.seek(0)
        print(text := log.read())
        found = re.findall(r"^\| (soak) " + r"\| (.*?) " * 5 + r"\|$", text, re.M)
        cells = found[-1] if found else ("soak", "FAILED", "it ended without a word", "", "", "")
        keep(dict(zip(COLUMNS, cells, strict=True)))
    print(table(lines(rows)))
    failed = [row["rig"] for row in rows if row["result"] == "FAILED"]
    skipped = [f"{row['rig']}: {row['tried']}" for row in rows if row["result"] == "SKIPPED"]
    skipped += [line for row in rows for line in re.findall(r"NOT TRIED: [^;]*", row["tried"])]
    if options.quick and not options.only:
        print("\nLeft out of a quick run: sanitizers")
    if skipped:
        print("\nNot tried on this machine:", *skipped, sep="\n  ")
    if failed:
        print(f"\nFAILED: {', '.join(failed)} (seed {options.seed}; what they left is in {folder})")
    if not failed:
        shutil.rmtree(folder)
    return 1 if failed or (skipped and not options.skips_allowed) else 0


if __name__ == "__main__":
    sys.exit(main())
