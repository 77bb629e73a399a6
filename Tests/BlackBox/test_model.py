"""Random edits against the model: outcomes, list, versions and log are the same after every batch.

The seed of a failure is printed; `GOALS_SEED=… python -m pytest test_model.py` repeats it, and
`GOALS_EXAMPLES=…` runs more of them.
"""

from __future__ import annotations

import copy
import datetime
import json
import os
import random
import time
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from goals_client import Client, instant, quote
from goals_server import EVERY_STORE, Server, away_from_midnight
from model import COLOURS, INTERVALS, Account, Goal, as_instant, parse, utc_day

STORES = EVERY_STORE

SEED = int(os.environ.get("GOALS_SEED") or random.SystemRandom().randrange(2**32))
EXAMPLES = int(os.environ.get("GOALS_EXAMPLES") or 40)
IDS = [f"{number:08x}-0000-4000-8000-00000000000{number:x}" for number in range(6)]
TITLES = ["a", "b", " a ", "Caf\u00e9", "Cafe\u0301", "\u00a0x\u3000", "😀" * 200, "x" * 200]
BAD_TITLES = ["", "  ", "x" * 201, "a\u0000", None, 5]
UNITS = [None, "", "km", "💧" * 20]


def mostly(good: st.SearchStrategy[Any], bad: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 24).flatmap(lambda number: bad if number == 0 else good)


# A goal is named by its place among those that live, or those that ever were, when the edit is sent.
living = st.integers(0, 5).map(lambda number: f"live {number}")
named = mostly(living, st.one_of(st.integers(0, 9).map(lambda number: f"ever {number}"), st.sampled_from(IDS)))
some_ids = mostly(named, st.sampled_from(["x", None, 5, ""]))
new_ids = mostly(st.just("new"), st.one_of(some_ids, st.sampled_from(IDS)))
fields: dict[str, st.SearchStrategy[Any]] = {
    "title": mostly(st.sampled_from(TITLES), st.sampled_from(BAD_TITLES)),
    "colour": mostly(st.sampled_from([*COLOURS, "#ABCDEF", "#abcdef"]), st.sampled_from(["pink", "#12345", 1])),
    "interval": mostly(st.sampled_from(INTERVALS), st.sampled_from(["hourly", 1])),
    "frequency": mostly(st.sampled_from([1, 2, 3, 1_000_000]), st.sampled_from([0, -1, 1_000_001, "1", 1.5])),
    "unit": mostly(st.sampled_from(UNITS), st.sampled_from(["x" * 21, 4])),
}
optional = {name: strategy for name, strategy in fields.items() if name != "title"}
surplus = mostly(st.just({}), st.just({"surplus": 1}))
# Seconds before now. None: `at` is left out.
ages = mostly(
    st.one_of(st.none(), st.integers(0, 600_000), st.sampled_from([0, 86_400, 86_400 * 7, 86_400 * 31, 86_400 * 400])),
    st.sampled_from([-3600, 10**9]),
)


def edits(kind: str, **values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), **values})


goal_values = st.fixed_dictionaries({"title": fields["title"]}, optional=optional)
goal_values_with_id = st.fixed_dictionaries({"id": some_ids, "title": fields["title"]}, optional=optional)
goal_values_with_new_id = st.fixed_dictionaries({"id": new_ids, "title": fields["title"]}, optional=optional)
booleans = mostly(st.booleans(), st.sampled_from([0, "true", None]))
by = mostly(st.sampled_from([1, 1, 2, 3, -1, -2, 1_000_000, -1_000_000]), st.sampled_from([0, 1_000_001, -1_000_001, 0.5, "1"]))
kinds = st.one_of(
    edits("add", goal=goal_values_with_new_id),
    edits("add", goal=st.one_of(goal_values, goal_values_with_new_id, goal_values_with_id)),
    edits("delete", goal=some_ids),
    edits("update", goal=goal_values_with_id),
    edits("alter", goal=some_ids, changes=st.fixed_dictionaries({}, optional=fields)),
    edits("setActivity", activity=st.dictionaries(mostly(living, st.sampled_from(IDS)), booleans, max_size=3)),
    edits("setActivity", activity=st.lists(booleans, min_size=1, max_size=5)),
    edits("setActivity", activity=st.just("fit")),
    edits("move", goal=some_ids, before=st.one_of(st.none(), some_ids)),
    edits("bump", goal=some_ids, by=by),
    edits("bump", goal=some_ids, by=by, note=st.sampled_from(["x", "with Ann", "😀" * 500])),
    edits("bump", goal=some_ids),
    mostly(edits("bump", goal=some_ids), st.one_of(edits("nonsense"), edits("bump"), st.just({"type": 5}))),
)
steps = st.tuples(kinds, ages, surplus, st.one_of(st.none(), st.none(), st.none(), st.integers(0, 30)))
batches = st.tuples(
    st.lists(steps, min_size=1, max_size=12),
    st.sampled_from([None, None, None, "right", "right", "wrong"]),
    st.sampled_from([False, False, False, True]),
)


class Run:
    """One account on the server, and its model beside it."""

    def __init__(self, client: Client, numbers: random.Random):
        self.client = client
        self.model = Account()
        self.sent: list[dict[str, Any]] = []
        self.cursor: str | None = None
        self.seen = 0
        self.random = numbers

    def concrete(self, step: Any, now: float) -> dict[str, Any]:
        """A generated step as an edit: a new one, or one that was sent before, perhaps changed."""
        content, age, surplus, again = step
        content = self.named(content)
        if again is not None and again < len(self.sent):
            old = self.sent[-1 - again]
            return (
                old
                if age is None or age % 3
                else {**old, **{k: v for k, v in content.items() if k != "type"}, "type": old["type"]}
            )
        edit = {"id": str(self.uuid()), **content, **surplus}
        if age is not None:
            edit["at"] = instant(now - age)
        if edit.get("activity") == "fit":
            edit["activity"] = [self.random.random() < 0.5 for _ in self.model.goals] or [True]
        self.sent.append(edit)
        return edit

    def named(self, value: Any) -> Any:
        """The value with real ids in place of "live 3", "ever 3" and "new"."""
        if isinstance(value, dict):
            # Keys in lower case: an object that names a goal twice is nothing the contract speaks of.
            return {self.named(key).lower(): self.named(each) for key, each in value.items()}
        if value == "new":
            return self.uuid()
        if not isinstance(value, str) or not value.startswith(("live ", "ever ")):
            return value
        which, number = value.split()
        ids = [goal.fields["id"] for goal in self.model.goals] if which == "live" else sorted(self.model.ever)
        id = ids[int(number) % len(ids)] if ids else IDS[0]
        return id.upper() if self.random.random() < 0.2 else id

    def start(self) -> None:
        """A few goals to begin with, so that most edits find one."""
        goals = [{"type": "add", "goal": {"id": id, "title": id[7]}} for id in IDS[:3]]
        on = {"type": "setActivity", "activity": {IDS[0]: True, IDS[1]: True}}
        self.batch(([(content, 100_000, {}, None) for content in (*goals, on)], None, False))

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def batch(self, generated: Any) -> None:
        steps, if_version, atomic = generated
        # A second ago: what happened in the very millisecond in which the server decides can't be foretold.
        now = time.time() - 1
        batch = [self.concrete(step, now) for step in steps]
        body: dict[str, Any] = {"edits": batch, **({"atomic": True} if atomic else {})}
        if if_version is not None:
            body["ifVersion"] = self.model.version if if_version == "right" else self.model.version + 1
        before = int(time.time() * 1000)
        response = self.client.post("/v1/edits", body)
        window = (before, int(time.time() * 1000) + 1)
        self.judge(response, batch, window, if_version, atomic)
        self.compare(response, window)

    def judge(
        self, response: Any, batch: list[dict[str, Any]], now: tuple[int, int], if_version: str | None, atomic: bool
    ) -> None:
        """Follows the server edit by edit; each outcome must be one that the model allows."""
        shown = response.shown()
        start = copy.deepcopy(self.model)
        told = response.json().get("outcomes")
        mismatch = response.status == 409 and response.json()["code"] == "version-mismatch"
        rejected = response.status == 409 and response.json()["code"] == "batch-rejected"
        assert response.status == 200 or mismatch or rejected, shown
        if mismatch:
            assert if_version == "wrong", shown
            assert response.json()["version"] == start.version, shown
            recorded = [(edit, parse_id(edit)) for edit in batch]
            expected = [
                {"id": id, "status": "duplicate", "version": start.versions[id]}
                for edit, id in recorded
                if id in start.versions and start.allowed(edit, now, True) == {("duplicate", start.versions[id])}
            ]
            duplicates = [outcome for outcome in told if outcome["status"] == "duplicate"]
            assert duplicates == expected, f"expected {expected}{shown}"
            assert self.would_record(batch, now), f"nothing would be recorded{shown}"
            return
        assert len(told) == len(batch), shown
        for number, (edit, outcome) in enumerate(zip(batch, told)):
            allowed = self.model.allowed(edit, now, if_version is not None)
            got = self.outcome(outcome, rejected, self.model.version + 1)
            if rejected and outcome["status"] == "skipped" and self.again_in_this_batch(allowed, start.version):
                continue
            assert got in allowed, f"edit {number}: allowed {allowed}, got {outcome}\n{json.dumps(edit)}{shown}"
            if isinstance(edit.get("id"), str):
                assert outcome["id"] in (edit["id"], edit["id"].lower()), shown
            if got[0] == "applied":
                self.follow(edit, now, rejected)
        if rejected:
            assert atomic and any(outcome["status"] == "rejected" for outcome in told), shown
            self.model = start
        elif atomic:
            assert all(outcome["status"] != "rejected" for outcome in told), f"atomic, with a rejection{shown}"
        if response.status == 200:
            assert response.json()["version"] == self.model.version, shown
            if if_version == "wrong":
                assert self.model.version == start.version, f"applied in spite of ifVersion{shown}"

    @staticmethod
    def again_in_this_batch(allowed: set[tuple[str, Any]], version: int) -> bool:
        """Whether an edit only repeats one before it in the batch: where nothing was recorded, it
        is a duplicate of nothing."""
        return all(status == "duplicate" and at > version for status, at in allowed)

    @staticmethod
    def outcome(outcome: dict[str, Any], rejected: bool, next_version: int) -> tuple[str, Any]:
        status = outcome["status"]
        if status == "skipped" and rejected:
            return ("applied", next_version)
        assert status in ("applied", "duplicate", "unchanged", "rejected"), outcome
        assert not (rejected and status == "applied"), outcome
        return (status, outcome["code"] if status == "rejected" else outcome.get("version"))

    def follow(self, edit: dict[str, Any], now: tuple[int, int], forgotten: bool) -> None:
        """Performs what the server did, with what the server filled in."""
        at, made = parse(edit).get("at", now[1]), None
        missing = edit["type"] == "add" and "id" not in edit["goal"]
        if not forgotten and ("at" not in edit or missing):
            recorded = self.client.get(f"/v1/edits/{edit['id']}").expect(200).json()
            at = as_instant(recorded["at"])
            assert "at" in edit or now[0] - 1 <= at <= now[1] + 1, (recorded, now)
            made = recorded["goal"]["id"] if missing else None
        elif missing:
            made = self.uuid()
        self.model.record(edit, at, made)

    def would_record(self, batch: list[dict[str, Any]], now: tuple[int, int]) -> bool:
        """Whether some edit of the batch would be applied, as far as the model can know."""
        trial = Run(self.client, random.Random(0))
        trial.model = copy.deepcopy(self.model)
        for edit in batch:
            allowed = trial.model.allowed(edit, now, True)
            if any(status == "applied" for status, _ in allowed):
                return True
        return False

    def compare(self, response: Any, now: tuple[int, int]) -> None:
        listed = self.client.get("/v1/goals").expect(200)
        body = listed.json()
        shown = response.shown() + listed.shown()
        today = utc_day(now[1])
        expected = self.model.read(today)
        for goal in body["goals"]:
            streak = goal.pop("streak")
            assert 0 <= streak["current"] <= streak["longest"], shown
        assert body["version"] == self.model.version, f"expected version {self.model.version}{shown}"
        for got, want in zip(body["goals"], expected):
            if want["completion"] is not None:
                assert got["completion"] == pytest.approx(want["completion"], rel=1e-12), f"{got}\n{want}{shown}"
                got["completion"] = want["completion"]
        assert body["goals"] == expected, f"expected\n{json.dumps(expected, ensure_ascii=False)}{shown}"
        self.compare_log(shown)
        assert self.client.get(f"/v1/edits?after={quote(body['cursor'])}").expect(200).json()["edits"] == [], shown

    def compare_log(self, shown: str) -> None:
        """What is new in the log since the last look."""
        target = "/v1/edits?limit=1000" + (f"&after={quote(self.cursor)}" if self.cursor else "")
        page = self.client.get(target).expect(200).json()
        assert page["more"] is False and page["version"] == self.model.version, (page, shown)
        known = self.model.log[self.seen :]
        self.seen = self.model.version
        assert [e["version"] for e in page["edits"]] == [self.model.versions[e["id"]] for e in known], shown
        for recorded, want in zip(page["edits"], known):
            read = parse(recorded)
            if "note" not in want and recorded.get("note") is None:
                read.pop("note", None)
            assert read == want, f"{recorded}\n{want}{shown}"
            if want["type"] == "setActivity":
                assert list(read["activity"]) == list(want["activity"]), f"not in list order: {recorded}{shown}"
            if want["type"] == "bump":
                assert recorded["day"] == utc_day(want["at"]).isoformat(), f"{recorded}{shown}"
        self.cursor = page["cursor"]


def parse_id(edit: dict[str, Any]) -> str:
    return edit["id"].lower() if isinstance(edit.get("id"), str) else ""


@seed(SEED)
@settings(
    max_examples=EXAMPLES,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
    deadline=None,
    database=None,
)
@given(st.lists(batches, min_size=1, max_size=12), st.integers(0, 2**32))
def random_edits(server: Server, generated: list[Any], number: int) -> None:
    client = server.new_client()
    run = Run(client, random.Random(number))
    try:
        run.start()
        for batch in generated:
            run.batch(batch)
        outcomes = client.outcomes(*client.log()) if run.model.version else []
        assert [(o["status"], o["version"]) for o in outcomes] == [
            ("duplicate", version) for version in range(1, run.model.version + 1)
        ]
    finally:
        client.close()


def test_random_edits_do_what_the_model_does(server: Server) -> None:
    print(f"GOALS_SEED={SEED}")
    away_from_midnight(120)
    random_edits(server)


def test_long_random_histories_do_what_the_model_does(server: Server) -> None:
    """Fewer accounts, and far more edits in each than a shrinking generator makes."""
    print(f"GOALS_SEED={SEED}")
    away_from_midnight(120)
    for account in range(2):
        numbers = random.Random(SEED + account)
        run = Run(server.new_client(), numbers)
        run.start()
        for _ in range(60):
            run.batch(long_batch(numbers))
        run.client.close()


def long_batch(numbers: random.Random) -> Any:
    def content() -> dict[str, Any]:
        goal = f"live {numbers.randint(0, 9)}" if numbers.random() < 0.95 else numbers.choice(IDS)
        kind = numbers.choices(
            ["add", "delete", "update", "alter", "setActivity", "fit", "move", "bump"], [6, 1, 2, 3, 4, 2, 4, 12]
        )[0]
        values = {"title": numbers.choice(TITLES), "frequency": numbers.randint(1, 9), "interval": numbers.choice(INTERVALS)}
        if kind in ("add", "update"):
            id = {"id": goal} if kind == "update" else {"id": "new"} if numbers.random() < 0.7 else {}
            return {"type": kind, "goal": {**id, **values}}
        if kind == "alter":
            return {"type": kind, "goal": goal, "changes": {k: v for k, v in values.items() if numbers.random() < 0.5}}
        if kind == "setActivity":
            return {"type": kind, "activity": {goal: numbers.random() < 0.7}}
        if kind == "fit":
            return {"type": "setActivity", "activity": "fit"}
        if kind == "move":
            return {"type": kind, "goal": goal, "before": numbers.choice([None, "live 0", "live 1", "live 3"])}
        if kind == "bump":
            return {"type": kind, "goal": goal, "by": numbers.choice([1, 2, 5, -1, -2])}
        return {"type": kind, "goal": goal}

    steps = [
        (
            content(),
            numbers.choice([None, None, numbers.randint(0, 200_000)]),
            {},
            numbers.choice([None] * 9 + [numbers.randint(0, 60)]),
        )
        for _ in range(numbers.randint(1, 40))
    ]
    return steps, numbers.choice([None, None, "right", "right", "wrong"]), numbers.random() < 0.1


class TestTheModelItself:
    """The model is small enough to be checked by looking, but a test that cannot fail is a defect."""

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
