"""The whole Swift suite under the thread and the address sanitizer: see scripts/sanitize."""

from __future__ import annotations

import re
import shutil
import subprocess

from goals_server import ROOT
from one_order import Violation
from rig import Deep, NotHere, Report, control


def thread_sanitizer(deep: Deep) -> Report:
    return run(deep, "thread")


def address_sanitizer(deep: Deep) -> Report:
    return run(deep, "address")


def run(deep: Deep, kind: str) -> Report:
    if not shutil.which("swift"):
        raise NotHere("a Swift toolchain")
    log = deep.folder / f"{kind}.log"
    with log.open("w") as out:
        code = subprocess.run([ROOT / "scripts" / "sanitize", kind], stdout=out, stderr=subprocess.STDOUT).returncode
    text = log.read_text(errors="replace")
    found = re.search(r"Test run with (\d+ tests).*? (passed|failed)", text)
    reports = re.findall(r"^SUMMARY: (.*)", text, re.M)
    report = Report(f"{found[1] if found else 'no tests'}, {len(reports)} reports")
    control(report, "a program with a defect", "control: the " in text, "it was found")
    if code or not found or reports:
        failed = re.findall(r"^✘ Test .*|^.* error: .*", text, re.M)
        wrong = [*reports, *failed, f"exit {code}"][:20]
        raise Violation(f"{report.tried}: " + "\n".join(wrong))
    return report
