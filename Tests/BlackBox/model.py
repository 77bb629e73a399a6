"""What an account is, said as simply as possible: lists, dictionaries, and the seven edits.

The model decides an edit as the contract does and tells which outcomes it allows: one, or several
where the contract leaves the choice (where more than one code applies). It follows the server's
choice and is never faster, smaller or cleverer than it needs to be.
"""

from __future__ import annotations

import copy
import datetime
import re
from dataclasses import dataclass, field
from typing import Any

COLOURS = ("blue", "cyan", "green", "yellow", "orange", "red", "purple")
INTERVALS = ("daily", "weekly", "monthly")
DEFAULTS = {"colour": "green", "interval": "daily", "frequency": 1, "unit": None}
MILLION = 1_000_000
GOAL_LIMIT = 1000
READ_ONLY = {"version", "recordedAt", "device", "day"}


class Invalid(Exception):
    """The edit itself breaks a rule."""


def need(condition: Any) -> None:
    if not condition:
        raise Invalid


def as_id(value: Any) -> str:
    need(isinstance(value, str) and re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value))
    return value.lower()


def as_instant(text: Any) -> int:
    """Milliseconds since 1970."""
    need(isinstance(text, str))
    match = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)", text)
    need(match)
    assert match
    try:
        base = datetime.datetime.fromisoformat(match[1] + ("+00:00" if match[3] == "Z" else match[3]))
    except ValueError:
        raise Invalid from None
    seconds = (base - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)) // datetime.timedelta(seconds=1)
    return seconds * 1000 + int(((match[2] or ".0")[1:] + "00")[:3])


def utc_day(milliseconds: int) -> datetime.date:
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=milliseconds // 86_400_000)


def text(value: Any, most: int) -> str:
    need(isinstance(value, str) and len(value) <= most)
    need(not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in value))
    return value


def as_field(name: str, value: Any) -> Any:
    if name == "title":
        need(isinstance(value, str))
        title = text(value.strip(" \t\n\r\u00a0\u2003\u3000"), 200)
        need(title)
        return title
    if name == "colour":
        need(isinstance(value, str) and (value in COLOURS or re.fullmatch(r"#[0-9a-fA-F]{6}", value)))
        return value.lower()
    if name == "interval":
        need(isinstance(value, str) and value in INTERVALS)
        return value
    if name == "frequency":
        need(type(value) is int and 1 <= value <= MILLION)
        return value
    need(name == "unit")
    return (None if value is None else text(value, 20)) or None


def as_goal(value: Any) -> dict[str, Any]:
    need(isinstance(value, dict) and "title" in value)
    goal = {name: as_field(name, each) for name, each in value.items() if name != "id"}
    return {**({"id": as_id(value["id"])} if "id" in value else {}), **DEFAULTS, **goal}


FIELDS = {
    "add": {"goal"}, "delete": {"goal"}, "update": {"goal"}, "alter": {"goal", "changes"}, "setActivity": {"activity"},
    "move": {"goal", "before"}, "bump": {"goal", "by", "note"},
}  # fmt: skip


def parse(edit: Any) -> dict[str, Any]:
    """The edit in one form, whatever way it was written; `at` only where it was given."""
    need(isinstance(edit, dict) and edit.get("type") in FIELDS)
    kind = edit["type"]
    need(set(edit) - READ_ONLY <= FIELDS[kind] | {"id", "type", "at"})
    parsed: dict[str, Any] = {"id": as_id(edit.get("id")), "type": kind}
    if "at" in edit:
        parsed["at"] = as_instant(edit["at"])
    if kind in ("add", "update"):
        parsed["goal"] = as_goal(edit.get("goal"))
        need(kind == "add" or "id" in parsed["goal"])
    elif kind == "setActivity":
        activity = edit.get("activity")
        need(isinstance(activity, (dict, list)))
        need(all(type(on) is bool for on in (activity.values() if isinstance(activity, dict) else activity)))
        parsed["activity"] = {as_id(id): on for id, on in activity.items()} if isinstance(activity, dict) else activity
    else:
        parsed["goal"] = as_id(edit.get("goal"))
    if kind == "alter":
        need(isinstance(edit.get("changes"), dict))
        parsed["changes"] = {name: as_field(name, value) for name, value in edit["changes"].items()}
    if kind == "move":
        parsed["before"] = None if edit.get("before") is None else as_id(edit["before"])
    if kind == "bump":
        by = edit.get("by", 1)
        need(type(by) is int and by != 0 and -MILLION <= by <= MILLION)
        parsed["by"] = by
        if "note" in edit:
            need(isinstance(edit["note"], str) and len(edit["note"]) <= 500)
            parsed["note"] = edit["note"]
    return parsed


@dataclass
class Goal:
    fields: dict[str, Any]
    created: int
    active: bool = False
    counts: dict[datetime.date, int] = field(default_factory=dict)
    # Since when which activity held. The contract does not say whether naming a goal that is on
    # already, at an earlier instant, makes it on from there: both memories are kept.
    named: list[tuple[int, bool]] = field(default_factory=list)
    changed: list[tuple[int, bool]] = field(default_factory=list)

    def set_active(self, at: int, on: bool) -> None:
        at = max(at, self.created)
        self.named = [entry for entry in self.named if entry[0] < at] + [(at, on)]
        if on != self.active:
            self.changed = [entry for entry in self.changed if entry[0] < at] + [(at, on)]
        self.active = on

    def may_have_been_active(self, at: int) -> set[bool]:
        def held(memory: list[tuple[int, bool]]) -> bool:
            return next((on for since, on in reversed(memory) if since <= at), False)

        return {self.active or held(self.named), self.active or held(self.changed)}

    def period(self, today: datetime.date) -> tuple[datetime.date, datetime.date]:
        if self.fields["interval"] == "daily":
            return today, today + datetime.timedelta(days=1)
        if self.fields["interval"] == "weekly":
            start = today - datetime.timedelta(days=today.weekday())
            return start, start + datetime.timedelta(days=7)
        start = today.replace(day=1)
        return start, (start + datetime.timedelta(days=32)).replace(day=1)

    def read(self, today: datetime.date) -> dict[str, Any]:
        """The goal as `GET` shows it, but for its streak."""
        start, end = self.period(today)
        progress = sum(count for day, count in self.counts.items() if start <= day < end)
        shown: dict[str, Any] = {"active": self.active, "progress": None, "completion": None, "period": None, "today": None, "state": None}
        if self.active:
            shown["progress"] = progress
            shown["completion"] = progress / self.fields["frequency"]
            shown["period"] = {"start": start.isoformat(), "end": end.isoformat()}
            shown["today"] = self.counts.get(today, 0)
            shown["state"] = "met" if progress >= self.fields["frequency"] else "open"
        return {**self.fields, **shown}


@dataclass
class Account:
    goals: list[Goal] = field(default_factory=list)
    ever: set[str] = field(default_factory=set)
    log: list[dict[str, Any]] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)

    @property
    def version(self) -> int:
        return len(self.log)

    def find(self, id: str) -> Goal | None:
        return next((goal for goal in self.goals if goal.fields["id"] == id), None)

    def read(self, today: datetime.date) -> list[dict[str, Any]]:
        return [goal.read(today) for goal in self.goals]

    # Judging an edit

    def allowed(self, edit: Any, now: tuple[int, int], if_version: bool) -> set[tuple[str, Any]]:
        """The outcomes that the contract allows: ("applied", version), ("duplicate", version),
        ("unchanged", None), ("rejected", code). `now` holds the server's clock between two instants."""
        try:
            parsed = parse(edit)
        except Invalid:
            return {("rejected", "invalid")}
        if parsed["id"] in self.versions:
            version = self.versions[parsed["id"]]
            same = self.same(parsed, self.log[version - 1])
            return {("duplicate", version)} if same else {("rejected", "id-conflict")}
        at = parsed.get("at", now[1])
        if at < 946_684_800_000:
            return {("rejected", "too-old")}
        if at > now[1] + 300_000:
            return {("rejected", "in-future")}
        assert at < now[0] + 290_000, "the test asked too near the limit to know"
        codes = self.codes(parsed, at, if_version)
        if codes == {None} and self.is_unchanged(parsed):
            return {("unchanged", None)}
        if codes == {"version-required"} and self.is_unchanged(parsed):
            return {("unchanged", None), ("rejected", "version-required")}
        return {("rejected", code) if code else ("applied", self.version + 1) for code in codes}

    def same(self, parsed: dict[str, Any], recorded: dict[str, Any]) -> bool:
        """Whether an edit asks again for what was recorded; what it leaves out matches."""
        left = {**recorded, **({} if "at" in parsed else {"at": None})}
        right = {"at": None, **parsed}
        if parsed["type"] == recorded["type"] == "setActivity" and isinstance(parsed["activity"], list):
            return parsed["activity"] == list(recorded["activity"].values()) and left["at"] == right["at"]
        if parsed["type"] == recorded["type"] == "add" and "id" not in parsed["goal"]:
            right["goal"] = {**parsed["goal"], "id": recorded["goal"]["id"]}
        return left == right

    def codes(self, parsed: dict[str, Any], at: int, if_version: bool) -> set[str | None]:
        """The codes that apply; {None} where none does; both where the contract leaves it open."""
        kind = parsed["type"]
        if kind == "add":
            id = parsed["goal"].get("id")
            existing = self.find(id) if id else None
            if existing and existing.fields == parsed["goal"]:
                return {None}
            codes: set[str | None] = {"goal-exists"} if id in self.ever else set()
            if len(self.goals) >= GOAL_LIMIT:
                codes.add("limit-reached")
            return codes or {None}
        if kind == "setActivity":
            activity = parsed["activity"]
            if isinstance(activity, dict):
                return {"unknown-goal"} if any(not self.find(id) for id in activity) else {None}
            codes = set() if if_version else {"version-required"}
            if len(activity) != len(self.goals):
                codes.add("activity-mismatch")
            return codes or {None}
        goal = self.find(parsed["goal"]["id"] if kind == "update" else parsed["goal"])
        if goal is None or (kind == "move" and parsed["before"] and not self.find(parsed["before"])):
            return {"unknown-goal"}
        if kind != "bump":
            return {None}
        below = goal.counts.get(utc_day(at), 0) + parsed["by"] < 0
        codes = set()
        for active in goal.may_have_been_active(at):
            codes |= {"below-zero"} if below else set() if not active else {None}
            codes |= set() if active else {"inactive-goal"}
        return codes

    def is_unchanged(self, parsed: dict[str, Any]) -> bool:
        after = copy.deepcopy(self)
        if parsed["type"] == "bump" or (parsed["type"] == "add" and "id" not in parsed["goal"]):
            return False
        after.perform({**parsed, "at": 0})

        def present(account: Account) -> Any:
            return [(goal.fields, goal.active) for goal in account.goals]

        if parsed["type"] == "add" and parsed["goal"]["id"] in self.ever:
            return True
        return present(after) == present(self)

    # Performing one

    def record(self, edit: Any, at: int, made: str | None) -> None:
        """Performs an edit that was applied, dated `at`; `made` is the goal id the server made."""
        parsed = {**parse(edit), "at": at}
        if parsed["type"] == "add":
            parsed["goal"] = {"id": made, **parsed["goal"]}
        if parsed["type"] == "setActivity":
            activity, order = parsed["activity"], [goal.fields["id"] for goal in self.goals]
            if isinstance(activity, list):
                parsed["activity"] = dict(zip(order, activity, strict=True))
            else:
                parsed["activity"] = {id: activity[id] for id in order if id in activity}
        self.log.append(parsed)
        self.versions[parsed["id"]] = len(self.log)
        self.perform(parsed)

    def perform(self, edit: dict[str, Any]) -> None:
        kind, at = edit["type"], edit["at"]
        if kind == "add":
            self.goals.insert(0, Goal(edit["goal"], at))
            self.ever.add(edit["goal"]["id"])
            return
        if kind == "setActivity":
            activity = edit["activity"]
            if isinstance(activity, list):
                activity = {goal.fields["id"]: on for goal, on in zip(self.goals, activity, strict=True)}
            for each in self.goals:
                if each.fields["id"] in activity:
                    each.set_active(at, activity[each.fields["id"]])
            return
        goal = self.find(edit["goal"]["id"] if kind == "update" else edit["goal"])
        assert goal is not None
        if kind == "delete":
            self.goals.remove(goal)
        elif kind == "update":
            goal.fields = edit["goal"]
        elif kind == "alter":
            goal.fields = {**goal.fields, **edit["changes"]}
        elif kind == "move" and edit["before"] != edit["goal"]:
            self.goals.remove(goal)
            before = self.find(edit["before"]) if edit["before"] else None
            self.goals.insert(self.goals.index(before) if before else len(self.goals), goal)
        elif kind == "bump":
            day = utc_day(at)
            goal.counts[day] = goal.counts.get(day, 0) + edit["by"]
