"""Goals and edits as only the whole program shows them. What each operation takes, answers and refuses, from its fields on, is
said by the tests in Swift: `GoalWriteTests`, `ListTests`, `BodyTests`, `FieldTests` and those beside them."""

from __future__ import annotations

from goals_client import Client, edit, quote
from tier import EVERY_STORE

STORES = EVERY_STORE


class TestBumpingAGoal:
    def test_adds_up_far_beyond_a_single_bump(self, me: Client) -> None:
        goal = me.add_goal(frequency=1_000_000)
        me.apply(*[edit("bump", goal=goal, by=1_000_000) for _ in range(1000)])
        read = me.goal(goal)
        assert (read["progress"], read["completion"]) == (1_000_000_000, 1000), read


class TestAProblem:
    def test_never_shows_what_is_inside(self, me: Client) -> None:
        """`check_problem` looks at every problem; here are those most likely to leak."""
        for text in ("'; DROP TABLE edits; --", "%s%n", "\\u0000", "../../x", "\u202e", "x" * 5000):
            me.get(f"/v1/goals?active={quote(text)}").expect(422, "invalid")
            me.get(f"/v1/edits?after={quote(text)}").expect(422, "invalid")
            # An encoded slash or backslash in a path is refused before it is looked at.
            hidden = "%2F" in quote(text) or "%5C" in quote(text)
            me.get(f"/v1/edits/{quote(text)}").expect(400 if hidden else 404, "malformed-request" if hidden else "unknown-edit")
            me.post("/v1/goals", {"title": "x", text: 1}).expect(422, "invalid")
            me.post("/v1/goals", {"title": "x", "colour": text}).expect(422, "invalid")
