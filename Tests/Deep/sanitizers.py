"""The whole Swift suite under the thread and the address sanitizer: see scripts/sanitize."""

from __future__ import annotations

import re
import shutil
import subprocess

from rig import ROOT, Deep, NotHere, Report, Violation, control, say


def run(deep: Deep) -> Report:
    if not shutil.which("swift"):
        raise NotHere("a Swift toolchain")
    report, tried, wrong = Report(""), [], []
    for kind in ("thread", "address"):
        log = deep.folder / f"{kind}.log"
        with log.open("w") as out:
            code = subprocess.run([ROOT / "scripts" / "sanitize", kind], stdout=out, stderr=subprocess.STDOUT).returncode
        text = log.read_text(errors="replace")
        control(report, f"{kind}: a program with a defect", "control: the " in text, "it was found")
        found = re.search(r"Test run with (\d+ tests).*? (passed|failed)", text)
        reports = re.findall(r"^SUMMARY: (.*)", text, re.M)
        tried.append(f"{kind} sanitizer: {found[1] if found else 'no tests'}, {len(reports)} reports")
        say(tried[-1])
        if code or not found or reports:
            failed = re.findall(r"^✘ Test .*|^.* error: .*", text, re.M)
            wrong += [f"{kind}: {line}" for line in [*reports, *failed, f"exit {code}"]][:20]
    report.tried = "; ".join(tried)
    if wrong:
        raise Violation(f"{report.tried}: " + "\n".join(wrong))
    return report
