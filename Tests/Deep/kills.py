"""SIGKILL just before every Nth call to the disk: see steps.py."""

from __future__ import annotations

from rig import Deep, Report
from steps import KILLS, dropped_write, every_step


def run(deep: Deep) -> Report:
    report, templates = every_step(deep, "kills", KILLS, deep.rounds(12, 3))
    dropped_write(templates, report)
    return report
