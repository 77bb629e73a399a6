"""Errors of the disk at every Nth call: see steps.py."""

from __future__ import annotations

from rig import Deep, Report
from steps import FAULTS, dropped_write, every_step


def run(deep: Deep) -> Report:
    report, templates = every_step(deep, "faults", FAULTS, deep.rounds(5, 2))
    dropped_write(templates, report)
    return report
