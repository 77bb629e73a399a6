"""Three servers on a primary and its standby, for an hour of faults: see cluster_rig.py."""

from __future__ import annotations

import time
from collections import Counter

from cluster_rig import attack, lose
from one_order import Violation
from rig import Deep, Report, control, say


def run(deep: Deep) -> Report:
    dice = deep.dice("cluster")
    seen: Counter[str] = Counter()
    end = time.monotonic() + deep.rounds(3600, 60)
    while time.monotonic() < end:
        seed = dice.getrandbits(32)
        found = attack(deep.new_folder("cluster"), seed, deep.rounds(3, 1))
        say(f"{seed}: {dict(found)}")
        seen += found + Counter(pairs=1)
    report = Report(
        f"{seen['faults']} faults, {seen['pairs']} times with a fresh pair, {seen['acknowledged']} edits acknowledged: none lost, none twice; "
        f"{seen['duplicate']} duplicates, {seen['list'] + seen['page']} reads, {seen['streamed']} edits on streams: one order explains all"
    )
    try:
        lose(deep.new_folder("cluster"), dice.getrandbits(32))
    except Violation as error:
        control(report, "with no standby to wait for", "edits are lost" in str(error), str(error))
    else:
        control(report, "with no standby to wait for", False, "it was believed")
    return report
