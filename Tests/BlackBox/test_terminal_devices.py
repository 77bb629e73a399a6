"""The terminal client on two devices of one person: what one refuses is judged by what the other did."""

from __future__ import annotations

from pathlib import Path

import pytest

from goals_client import Client
from goals_server import Server
from test_terminal import Person, progress

OVERTAKEN = "goals: This can't be taken back: Rob +2. Later edits have overtaken what this edit did.\n"


@pytest.fixture
def two(tmp_path: Path, server: Server, me: Client) -> tuple[Person, Person]:
    people = Person(tmp_path / "a"), Person(tmp_path / "b")
    for person in people:
        person.home.mkdir()
        person.login(server, me)
    return people


class TestWhatIsRefused:
    def test_is_judged_by_what_the_other_device_did(self, two: tuple[Person, Person], me: Client) -> None:
        a, b = two
        a.run("add", "Fresh", "--times", "3").expect(0)
        assert "1 of 3" in b.run("bump", "fresh").expect(0).out
        b.run("bump", "fresh", "-1").expect(0)
        a.run("bump", "fresh", "+2").expect(0)
        assert "1 of 3" in b.run("bump", "fresh", "-1").expect(0).out
        a.run("add", "Other").expect(0)
        b.run("skip", "other").expect(0)
        assert progress(me) == {"Fresh": 1, "Other": 0}

    def test_is_refused_still_where_the_server_says_nothing_else(self, two: tuple[Person, Person]) -> None:
        _, b = two
        assert b.run("bump", "fresh").expect(1).err == "goals: There are no goals yet: `goals add`.\n"
        b.run("add", "Yoga").expect(0)
        assert b.run("bump", "yoga", "-1").expect(1).err == "goals: The day's count is 0; it cannot fall below 0.\n"
        b.find("http://127.0.0.1:1")
        said = b.run("bump", "fresh").expect(1).err
        assert said == "goals: No goal begins with fresh. `goals list` shows them. Not up to date: http://127.0.0.1:1 can't be reached.\n"


class TestAnUndo:
    def test_of_what_was_overtaken_takes_nothing_older_back(self, two: tuple[Person, Person], me: Client) -> None:
        a, b = two
        a.run("add", "Rob", "--times", "3").expect(0)
        a.run("bump", "rob", "+2").expect(0)
        b.run("bump", "rob", "-1").expect(0)
        a.run("list").expect(0)
        for _ in range(2):
            said = a.run("undo").expect(1)
            assert (said.out, said.err) == ("", f"{OVERTAKEN[:-1]} `goals undo --earlier` takes back what was done before it.\n")
        assert progress(me) == {"Rob": 1}

    def test_passes_over_what_was_overtaken_where_that_is_asked_for(self, two: tuple[Person, Person], me: Client) -> None:
        a, b = two
        a.run("add", "Yoga", "--times", "3").expect(0)
        a.run("bump", "yoga").expect(0)
        a.run("add", "Rob", "--times", "3").expect(0)
        a.run("bump", "rob", "+2").expect(0)
        b.run("bump", "rob", "-1").expect(0)
        a.run("list").expect(0)
        said = [a.run("undo", "--earlier").expect(0).out for _ in range(2)]
        # Rob would take along what the other device has counted.
        assert said == ["Took back: Yoga +1\n", "Took back: adding Yoga\n"]
        assert progress(me) == {"Rob": 1}

    def test_that_the_server_refuses_is_told_once(self, two: tuple[Person, Person], me: Client) -> None:
        a, b = two
        a.run("add", "Rob", "--times", "3").expect(0)
        a.run("bump", "rob", "+2").expect(0)
        b.run("bump", "rob", "-1").expect(0)
        said = a.run("undo").expect(1)
        assert (said.out, said.err) == ("Took back: Rob +2\n", OVERTAKEN)
        assert progress(me) == {"Rob": 1}

    def test_goes_past_what_is_gone_with_its_goal(self, two: tuple[Person, Person], me: Client) -> None:
        a, _ = two
        a.run("add", "Yoga", "--times", "3").expect(0)
        a.run("bump", "yoga").expect(0)
        a.run("add", "Rob").expect(0)
        a.run("bump", "rob").expect(0)
        me.delete(f"/v1/goals/{next(goal['id'] for goal in me.goals() if goal['title'] == 'Rob')}").expect(204)
        a.run("list").expect(0)
        assert a.run("undo").expect(0).out == "Took back: Yoga +1\n"
        assert progress(me) == {"Yoga": 0}

    def test_goes_past_what_another_device_took_back(self, two: tuple[Person, Person], me: Client) -> None:
        a, _ = two
        a.run("add", "Rob", "--times", "3").expect(0)
        a.run("bump", "rob", "+2").expect(0)
        a.run("bump", "rob").expect(0)
        last = [edit for edit in me.log() if edit["type"] == "bump"][-1]
        me.apply({"id": "0192c3a4-0000-7000-8000-000000000001", "type": "undo", "edit": last["id"]})
        a.run("list").expect(0)
        assert a.run("undo").expect(0).out == "Took back: Rob +2\n"
        assert progress(me) == {"Rob": 0}
