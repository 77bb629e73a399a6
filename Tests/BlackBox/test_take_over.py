"""A standby takes over that lacks edits which were seen, and which nobody has acknowledged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goals_client import Client, Response, edit, new_id, until
from goals_server import UNLIMITED, goals
from shared_server import PORT, Follower, Pair, SharedServer
from tier import THOROUGH

pytestmark = THOROUGH


class Lost:
    """Two servers, and what their streams told of edits that are about to be lost."""

    def __init__(self, folder: Path):
        self.pair = Pair()
        url = self.pair.primary.fresh_database()
        goals("migrate", url).expect(0)
        self.servers = SharedServer(folder, *UNLIMITED, servers=2, url=url)
        self.servers.token = self.servers.account("me")["token"]
        name = url.split("/")[3].split("?")[0]
        hosts = ",".join(place.folder for place in self.pair.places)
        for server in self.servers.all:
            server.database = f"postgresql://postgres@/{name}?host={hosts}&port={PORT}&target_session_attrs=read-write"
        self.servers.start()
        self.clients = [Client(server.address, self.servers.token) for server in self.servers.all]
        self.goal = self.clients[0].add_goal(title="Yoga")
        for client in self.clients:  # has a connection by then that takes writes
            client.edits(edit("bump", goal=self.goal)).expect(200)
        self.button = self.clients[0].post("/v1/tokens", {"name": "button"}).expect(201).json()["id"]
        self.begin = self.cursor()
        self.streams = [Follower(server, token=self.servers.token) for server in self.servers.all]

    def cursor(self) -> str:
        return self.clients[0].get("/v1/goals").expect(200).json()["cursor"]

    def write_what_will_be_lost(self) -> None:
        """A revocation and three edits."""
        self.pair.standby.kill()
        self.on_the_primary_alone(lambda client: client.delete(f"/v1/tokens/{self.button}"))
        edits = [edit("alter", goal=self.goal, changes={"title": title}) for title in ("One", "Two", "Lost")]
        self.on_the_primary_alone(lambda client: client.edits(*edits))
        for stream in self.streams:
            until(lambda: b'"Lost"' in stream.told, "the stream tells what is to be seen")

    def on_the_primary_alone(self, write: Callable[[Client], Response]) -> None:
        """Has it committed where everyone may see it, and nobody acknowledges it."""

        def send() -> None:
            statuses.append(write(self.clients[0]).status)

        statuses: list[int] = []
        writer = threading.Thread(target=send, daemon=True)
        writer.start()
        self.pair.wait_for_writes()
        waiting = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        self.pair.primary.sql(waiting)
        writer.join()
        assert statuses == [503]

    def take_over(self) -> None:
        self.pair.primary.kill()
        self.pair.standby.start_again()
        self.pair.take_over()
        for client in self.clients:
            until(lambda: client.get("/readyz").status == 200, "the servers are ready", 60)


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lost]:
    lost = Lost(tmp_path_factory.mktemp("s"))
    lost.write_what_will_be_lost()
    yield lost
    lost.servers.stop()
    lost.pair.end()


class TestEditsThatATakeOverLoses:
    def test_are_behind_no_answer_that_settles_anything(self, lost: Lost) -> None:
        """By which a client would drop its own edit, which says the same."""
        client = lost.clients[1]
        assert client.get(f"/v1/goals/{lost.goal}").expect(200).json()["title"] == "Lost"
        unchanged = edit("alter", goal=lost.goal, changes={"title": "Lost"})
        unknown = edit("bump", goal=new_id())
        for answer in (
            client.patch(f"/v1/goals/{lost.goal}", {"title": "Lost"}),
            client.edits(unchanged),
            client.edits(unknown),
            client.post("/v1/sync", {"after": None, "edits": [unchanged]}),
        ):
            assert (answer.status, answer.json()["code"]) == (503, "store-unavailable")

    def test_hide_no_token_whose_revocation_is_one_of_them(self, lost: Lost) -> None:
        """It is not called missing, as if all were well."""
        assert lost.clients[1].delete(f"/v1/tokens/{lost.button}").status == 503

    def test_end_the_streams_that_told_them_and_hold_up_no_others(self, lost: Lost) -> None:
        seen = lost.cursor()
        lost.take_over()
        assert lost.cursor() == lost.begin
        streams = [Follower(server, token=lost.servers.token) for server in lost.servers.all]
        lost.clients[0].edits(edit("bump", goal=lost.goal, note="kept")).expect(200)
        for stream in lost.streams:
            assert stream.ended.wait(30), "the stream goes on"
            assert b"kept" not in stream.told
        for stream in streams:
            until(lambda: b"kept" in stream.told, "the stream tells of the edit", 10)
        for client in lost.clients:
            client.get(f"/v1/edits?after={seen}").expect(410)
            assert client.get(f"/v1/edits?after={lost.begin}").expect(200).json()["edits"][0]["note"] == "kept"
