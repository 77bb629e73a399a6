"""A server that is killed while it writes. `crash_rig.py` does the same for as many rounds as you like."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import tier
from crash_rig import Kept, Lost, Rig, Writer, crash


def test_a_killed_server_loses_nothing_it_acknowledged_and_records_nothing_twice(tmp_path: Path) -> None:
    seed = tier.seed()
    crash(3, seed, tmp_path)


def test_the_rig_notices_a_log_that_lost_its_end(tmp_path: Path) -> None:
    """What a server that never syncs would leave after a power cut: a WAL without its last pages."""
    rig = Rig(tmp_path, 1, goals=2)
    start_again = rig.start_again

    def power_cut() -> None:
        wal = tmp_path / "goals.sqlite-wal"
        os.truncate(wal, 32 + (wal.stat().st_size - 32) // 4136 // 2 * 4136)
        start_again()

    rig.start_again = power_cut  # type: ignore[method-assign]
    try:
        with pytest.raises(Lost, match=r"acknowledged and lost|can't be read on"):
            for _ in range(3):
                rig.round()
    finally:
        rig.server.kill()


def test_the_rig_notices_what_it_is_there_for(tmp_path: Path) -> None:
    """A test that cannot fail is a defect: the rig is told of edits the server never had."""
    rig = Rig(tmp_path, 1, goals=1)
    try:
        writer = Writer(rig.client(), rig.goals, random.Random(1), acknowledged={"0": 3})
        with pytest.raises(Lost, match="acknowledged and lost"):
            rig.judge([writer])
        bump = writer.bump()
        version = rig.client().apply(bump)[0]
        writer.acknowledged = {bump["id"]: version + 1}
        with pytest.raises(Lost, match="recorded at"):
            rig.judge([writer])
        rig.kept.sums = {}
        writer.acknowledged = {bump["id"]: version}
        with pytest.raises(Lost, match="not the sum"):
            rig.judge([writer])
        rig.kept = Kept(versions={bump["id"]: 1})
        with pytest.raises(Lost, match="twice"):
            rig.judge([writer])
        with pytest.raises(Lost, match="half a request"):
            rig.send_again(rig.client(), [bump, writer.bump()])
    finally:
        rig.server.kill()
