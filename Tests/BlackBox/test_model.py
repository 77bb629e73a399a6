"""The model of an account by which `one_order.py` judges. A test that cannot fail is a defect."""

from __future__ import annotations

import datetime
from typing import Any

from model import Account, Goal, parse, utc_day

IDS = [f"{number:08x}-0000-4000-8000-00000000000{number:x}" for number in range(6)]


class TestTheModelItself:
    NOW = (1_800_000_000_000, 1_800_000_000_001)

    def edit(self, number: int, kind: str, **values: Any) -> dict[str, Any]:
        return {"id": f"{number:08x}-0000-4000-8000-0000000000ff", "type": kind, **values}

    def apply(self, account: Account, edit: dict[str, Any]) -> None:
        assert account.allowed(edit, self.NOW, True) == {("applied", account.version + 1)}
        account.record(edit, parse(edit).get("at", self.NOW[0]), None)

    def test_adds_moves_and_deletes(self) -> None:
        account = Account()
        for number, id in enumerate(IDS[:3]):
            self.apply(account, self.edit(number, "add", goal={"id": id, "title": str(number)}))
        self.apply(account, self.edit(10, "move", goal=IDS[0], before=IDS[2]))
        self.apply(account, self.edit(11, "delete", goal=IDS[1]))
        assert [goal.fields["title"] for goal in account.goals] == ["0", "2"]
        again = self.edit(12, "add", goal={"id": IDS[1], "title": "1"})
        assert account.allowed(again, self.NOW, True) == {("rejected", "goal-exists")}
        same = self.edit(13, "add", goal={"id": IDS[0], "title": " 0 "})
        assert account.allowed(same, self.NOW, True) == {("unchanged", None)}
        assert account.allowed(self.edit(14, "move", goal=IDS[2], before=None), self.NOW, True) == {("unchanged", None)}

    def test_counts_and_knows_its_own_limits(self) -> None:
        account = Account()
        self.apply(account, self.edit(0, "add", goal={"id": IDS[0], "title": "x"}))
        bump = self.edit(1, "bump", goal=IDS[0])
        assert account.allowed(bump, self.NOW, True) == {("rejected", "inactive-goal")}
        self.apply(account, self.edit(2, "setActivity", activity={IDS[0]: True}))
        self.apply(account, bump)
        assert account.allowed(bump, self.NOW, True) == {("duplicate", 3)}
        assert account.allowed({**bump, "by": 2}, self.NOW, True) == {("rejected", "id-conflict")}
        assert account.allowed(self.edit(4, "bump", goal=IDS[0], by=-2), self.NOW, True) == {("rejected", "below-zero")}
        assert account.read(utc_day(self.NOW[0]))[0]["progress"] == 1
        array = self.edit(5, "setActivity", activity=[False, True])
        assert account.allowed(array, self.NOW, False) == {("rejected", "version-required"), ("rejected", "activity-mismatch")}

    def test_cuts_periods_on_mondays_and_firsts(self) -> None:
        goal = Goal({"interval": "weekly"}, 0)
        assert [day.isoformat() for day in goal.period(datetime.date(2026, 11, 22))] == ["2026-11-16", "2026-11-23"]
        goal = Goal({"interval": "monthly"}, 0)
        assert [day.isoformat() for day in goal.period(datetime.date(2026, 12, 31))] == ["2026-12-01", "2027-01-01"]
