"""What the benchmarks hold against the servers, and that what is published is what was measured."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "bench"))

import load  # noqa: E402
import parts  # noqa: E402
import report  # noqa: E402
import scenarios  # noqa: E402
import targets  # noqa: E402
from load import Load, Round  # noqa: E402
from running import Failure, metric  # noqa: E402

RESULTS: dict[str, Any] = json.loads((ROOT / "Benchmarks" / "results.json").read_text())


def measured(requests: int, sent: int) -> Round:
    return Round(requests=requests, sent=sent, seconds=1, p50=0.1, p95=0.1, p99=0.1, cpu=1)


def test_what_is_published_is_what_was_measured() -> None:
    assert (ROOT / "Benchmarks" / "RESULTS.md").read_text() == report.page(RESULTS)
    readme = (ROOT / "README.md").read_text()
    assert readme == report.with_table(readme, RESULTS)
    with pytest.raises(Failure):
        report.with_table(readme.replace("<!-- end of speed -->", ""), RESULTS)
    assert report.is_long_enough(RESULTS)
    assert [row["title"] for row in targets.judged(RESULTS)] == [target.title for target in targets.TARGETS]


def test_nothing_of_a_part_is_missing_in_silence() -> None:
    assert targets.judged({}) == []
    scenario = RESULTS["scenarios"]["bumps-64"]
    goals = {name: value for name, value in scenario["servers"]["goals"].items() if name != "editsPerSync"}
    lacking = {"scenarios": {"bumps-64": {**scenario, "servers": {**scenario["servers"], "goals": goals}}}}
    with pytest.raises(KeyError, match="editsPerSync"):
        targets.judged(lacking)
    with pytest.raises(KeyError, match="editsPerSync"):
        report.page({**RESULTS, **lacking})


@pytest.mark.parametrize(("falls", "value", "met"), [(False, 2, True), (False, 1.9, False), (True, 2, True), (True, 2.1, False)])
def test_a_target_is_met_on_its_own_side(falls: bool, value: float, met: bool) -> None:
    target = targets.Target("it", "part", lambda part: part["value"], "", owed=2, falls=falls)
    judged = target.judge({"part": {"value": value}})
    assert judged is not None
    assert judged["met"] is met


def test_an_aim_is_no_debt() -> None:
    target = targets.Target("it", "part", lambda part: part["value"], "", owed=None, aim=2, falls=True)
    for value, met in ((2, True), (2.1, False)):
        judged = target.judge({"part": {"value": value}})
        assert judged is not None
        assert judged["met"] is None
        assert judged["aimMet"] is met


@contextmanager
def told(text: str) -> Iterator[int]:
    """Where that text is read as metrics."""

    class Metrics(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Metrics) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


def test_a_metric_that_is_not_told_is_no_zero() -> None:
    with told("# TYPE overtaken_total counter\novertaken_total 7\novertaken_total_of_another 8\n") as port:
        assert metric(port, "overtaken_total") == 7
        with pytest.raises(Failure, match="overtaken"):
            metric(port, "overtaken")


@pytest.mark.parametrize("recorded", [200, 204])
def test_what_was_answered_is_recorded(recorded: int) -> None:
    load.check_recorded("it", Load(connections=1, edits=2), [measured(60, 61), measured(40, 41)], recorded)


@pytest.mark.parametrize("recorded", [0, 198, 206, 400])
def test_a_bump_that_was_lost_or_counted_twice_is_seen(recorded: int) -> None:
    with pytest.raises(Failure, match="had to record 200 to 204"):
        load.check_recorded("it", Load(connections=1, edits=2), [measured(60, 61), measured(40, 41)], recorded)


def test_of_a_mixed_load_only_what_was_sent_counts() -> None:
    mixed = Load(connections=8, bumps=10)
    for recorded in (91, 100):
        load.check_recorded("it", mixed, [measured(1000, 100)], recorded)
    for recorded in (90, 101):
        with pytest.raises(Failure):
            load.check_recorded("it", mixed, [measured(1000, 100)], recorded)


@pytest.mark.parametrize(
    ("gathers", "sent", "syncs"),
    [
        (False, Load(connections=64), 1000),
        (True, Load(connections=64), 16),
        (True, Load(connections=1), 1000),
        (True, Load(connections=64, edits=10), 2),
        (False, Load(connections=64, edits=10), 100),
        (False, Load(connections=64, bumps=10), 1000),
    ],
)
def test_every_answer_waits_for_a_sync(gathers: bool, sent: Load, syncs: int) -> None:
    server: Any = SimpleNamespace(name="it", gathers=gathers)
    scenarios.check_synced(server, sent, 1000, syncs)
    for fewer in (0, syncs - 1):
        with pytest.raises(Failure, match="not durable"):
            scenarios.check_synced(server, sent, 1000, fewer)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["bumps-1"], ["scenarios/bumps-1"]),
        (["growth/log"], ["growth/log"]),
        (["growth/log-"], ["growth/log-v7"]),
        (["idle", "ten"], ["scenarios/ten-v7", "idle"]),
    ],
)
def test_parts_are_chosen_by_name(words: list[str], names: list[str]) -> None:
    assert [part[0] for part in parts.chosen(words)] == names


@pytest.mark.parametrize("typo", ["bumpz", ""])
def test_a_typo_among_the_names_is_refused(typo: str) -> None:
    with pytest.raises(Failure, match=f"'{typo}'"):
        parts.chosen(["bumps", typo])
