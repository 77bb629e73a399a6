"""What an operator sees: metrics, the log, and the names of requests."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import Client, new_id, until
from goals_server import UNLIMITED, Server, goals

MEASURING = re.compile(r"(?:127\.0\.0\.1):(\d+)/metrics")


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, *UNLIMITED, "--metrics-listen", "127.0.0.1:0", "--log-format", "json").start()
    yield server
    server.kill()


def metrics(server: Server) -> dict[str, float]:
    """Every sample, by its name and labels."""
    port = until(lambda: next((m[1] for line in server.err if (m := MEASURING.search(line))), None), "the log says where metrics are")
    answer = Client(("127.0.0.1", int(port)), None).get("/metrics").expect(200)
    assert answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8"
    lines = [line for line in answer.body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_metrics_count_what_is_done(measured: Server) -> None:
    me = measured.client()
    goal = new_id()
    me.put(f"/v1/goals/{goal}", {"title": "Counted"}).expect(201)
    me.patch(f"/v1/goals/{goal}", {"active": True}).expect(200)
    for _ in range(3):
        me.post(f"/v1/goals/{goal}/bump").expect(200)
    me.post(f"/v1/goals/{goal}/bump", {"by": -9}).expect(409)
    found = metrics(measured)
    assert found['goals_requests_total{operation="bumpGoal",status="200"}'] == 3
    assert found['goals_requests_total{operation="bumpGoal",status="409"}'] == 1
    assert found['goals_request_duration_seconds_count{operation="bumpGoal"}'] == 4
    assert found['goals_edits_total{outcome="applied"}'] == 5
    assert found['goals_edits_total{outcome="below-zero"}'] == 1
    assert found["goals_commit_edits_sum"] == 5
    assert found["goals_commit_duration_seconds_sum"] > 0
    assert found["goals_ready"] == 1
    assert found["goals_connections_open"] >= 1
    assert found["goals_cached_accounts"] == 1
    listed = measured.run("account", "list", "--json").expect(0).listing()
    assert found["goals_accounts"] == len(listed) == 1 and found["goals_accounts_full"] == 0
    assert found["goals_account_log_bytes"] == listed[0]["logBytes"] > 5 * 128
    assert found["goals_database_bytes"] > 0 and found["goals_wal_bytes"] > 0


def test_metrics_say_what_runs_and_when_it_was_backed_up(measured: Server, tmp_path: Path) -> None:
    version = goals("--version").expect(0).out.strip()
    before = metrics(measured)
    assert before[f'goals_build_info{{version="{version}"}}'] == 1
    pages = int(Path(f"/proc/{measured.pid}/statm").read_text().split()[1])
    resident = pages * os.sysconf("SC_PAGESIZE")
    assert resident / 2 < before["process_resident_memory_bytes"] < 2 * resident
    assert "goals_backup_age_seconds" not in before
    measured.run("backup", str(tmp_path / "backup.sqlite")).expect(0)
    # One that is refused is none.
    measured.run("backup", str(tmp_path / "backup.sqlite")).expect(1)
    assert metrics(measured)["goals_backup_age_seconds"] >= 0
    told = until(lambda: [line for line in list(measured.err) if "backed up" in line], "the log tells of it")
    assert [json.loads(line)["bytes"] for line in told] == [(tmp_path / "backup.sqlite").stat().st_size]


def test_a_start_that_fails_says_so_in_json(tmp_path: Path) -> None:
    database = tmp_path / "goals.sqlite"
    database.write_bytes(b"no database" * 100)
    failed = goals("serve", "--listen", "127.0.0.1:0", "--log-format", "json", database=database).expect(1)
    (line,) = [json.loads(line) for line in failed.err.splitlines()]
    assert (line["level"], failed.out) == ("critical", "") and "is not a SQLite database" in line["message"], failed.shown()


def test_metrics_are_nowhere_but_there(measured: Server) -> None:
    measured.client(None).get("/metrics").expect(404)


def test_every_line_of_the_log_is_json_and_names_its_request(tmp_path: Path) -> None:
    server = Server(tmp_path, *UNLIMITED, "--log-format", "json", "--log-level", "debug").start()
    try:
        me = server.client()
        answer = me.post("/v1/goals", {"title": "Not for the log"}).expect(201)
        name = answer.header("X-Request-Id")
        assert name
        until(lambda: any(name in line for line in server.err), "the log names the request")
        server.stop()
        lines = [json.loads(line) for line in server.err]
        said = [json.loads(line) for line in server.out]
        assert said[0]["message"] == f"Listening on {server.url}"
        assert len(said) > 1 and all({"time", "level", "message"} == set(line) for line in said), said
        assert all({"time", "level", "message"} <= set(line) for line in lines)
        told = next(line for line in lines if line.get("request") == name)
        assert (told["operation"], told["status"]) == ("addGoal", 201)
        assert 0 < told["milliseconds"] < 60_000 and isinstance(told["milliseconds"], float)
        committed = next(line for line in lines if line["message"] == "committed")
        assert (committed["requests"], committed["edits"]) == (1, 1)
        assert server.token and not any(server.token in line or "Not for the log" in line for line in server.err)
    finally:
        server.kill()
