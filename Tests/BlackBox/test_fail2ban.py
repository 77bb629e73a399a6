"""Failed sign-ins in the server's log, and what fail2ban makes of them by deploy/fail2ban."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from goals_client import until
from goals_server import ROOT, UNLIMITED, Server
from tier import THOROUGH

pytestmark = THOROUGH

FILTER = ROOT / "deploy" / "fail2ban" / "filter.d" / "goals.conf"
NOBODY = "goals_" + "0" * 64
Serve = Callable[..., Server]


def fail(server: Server, forwarded: str, token: str = NOBODY, times: int = 1) -> None:
    with closing(server.client(token)) as client:
        for _ in range(times):
            client.get("/v1/goals", headers={"X-Forwarded-For": forwarded}).expect(401)


def told(server: Server) -> list[str]:
    return [line for line in list(server.err) if "a sign-in failed" in line]


def banned(lines: list[str], file: Path) -> list[str]:
    """The addresses that fail2ban finds in a log, one for each line that it matches."""
    regex = shutil.which("fail2ban-regex")
    assert regex, "there is no fail2ban-regex here: run scripts/setup test"
    file.write_text("".join(lines))
    done = subprocess.run([regex, "--out", "ip", str(file), str(FILTER)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return re.findall(r"^[0-9a-f.:]+$", done.stdout, re.M)


@pytest.mark.parametrize("kept", ["as it is", "by a journal"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_fail2ban_finds_who_failed_and_nobody_else(serve: Serve, tmp_path: Path, form: str, kept: str) -> None:
    server = serve(*UNLIMITED, "--trust-proxy", "--failed-sign-ins", "0", "--log-format", form, "--log-level", "debug")
    fail(server, "203.0.113.7", times=2)
    fail(server, "198.51.100.9, 2001:DB8::0:7")
    fail(server, "203.0.113.8", token="x")
    # What is none, or somebody's own invention.
    with closing(server.client(None)) as stranger:
        stranger.get("/v1/goals", headers={"X-Forwarded-For": "203.0.113.20"}).expect(401)
        stranger.get("/v1/goals", headers={"X-Forwarded-For": "203.0.113.21", "Cookie": "goals_session=" + "0" * 64}).expect(401)
        stranger.get("/nothing?" + quote("notice goals: client=203.0.113.22 [goals] a sign-in failed")).expect(404)
    fail(server, "203.0.113.23 [goals] a sign-in failed")
    with closing(server.client()) as me:
        title = '","level":"notice","message":"a sign-in failed","client":"203.0.113.24"}'
        me.post("/v1/goals", {"title": title}, headers={"X-Forwarded-For": "203.0.113.25"}).expect(201)
        me.get("/v1/goals", headers={"X-Forwarded-For": "203.0.113.26"}).expect(200)
    until(lambda: len(told(server)) == 5, "each is told")
    server.stop()
    mark = '"level":"notice"' if form == "json" else " notice goals: client="
    assert all(mark in line for line in told(server)), server.shown()
    lines = list(server.err)
    if kept == "by a journal":
        lines = [f"Nov 20 12:00:00 home goals[4242]: {line}" for line in lines]
    assert banned(lines, tmp_path / "goals.log") == ["203.0.113.7"] * 2 + ["2001:db8::7", "203.0.113.8"]


def test_without_a_proxy_the_client_is_who_connects(serve: Serve) -> None:
    server = serve(*UNLIMITED, "--failed-sign-ins", "0")
    fail(server, "203.0.113.7")
    (line,) = until(lambda: told(server), "it is told")
    assert " client=127.0.0.1 " in line, line


def test_the_log_is_told_of_few_of_many_and_how_many_there_were(serve: Serve) -> None:
    server = serve(*UNLIMITED, "--trust-proxy", "--failed-sign-ins", "0")
    sent = 0

    def left_out() -> int:
        counts = [re.search(r" signIns=(\d+) .*more sign-ins failed", line) for line in list(server.err)]
        return sum(int(count[1]) for count in counts if count)

    def more() -> bool:
        nonlocal sent
        fail(server, f"203.0.113.{sent % 250}", times=40)
        sent += 40
        return left_out() > 0

    until(more, "some are left out", 30)

    def is_complete() -> bool:
        # The count of those that were left out comes before the next that is told.
        nonlocal sent
        fail(server, "203.0.113.251", times=1)
        sent += 1
        return len(told(server)) + left_out() >= sent - 1

    until(is_complete, "every one is told or counted", pause=0.2)
    seconds = {line.split()[0] for line in told(server)}
    assert len(told(server)) <= 10 * (len(seconds) + 1), "so many a second"


def test_a_client_that_is_told_to_wait_writes_no_more_lines(serve: Serve) -> None:
    server = serve(*UNLIMITED, "--trust-proxy", "--failed-sign-ins", "3")
    fail(server, "203.0.113.7", times=3)
    with closing(server.client(NOBODY)) as client:
        for _ in range(20):
            client.get("/v1/goals", headers={"X-Forwarded-For": "203.0.113.7"}).expect(429)
    server.stop()
    assert len(told(server)) == 3, server.shown()
    assert [line for line in server.err if " warning " in line] == [], server.shown()


def test_fail2ban_takes_the_jail(tmp_path: Path) -> None:
    client = shutil.which("fail2ban-client")
    assert client, "there is no fail2ban-client here: run scripts/setup test"
    folder = tmp_path / "fail2ban"
    shutil.copytree("/etc/fail2ban", folder)
    for file in (folder / "jail.d").iterdir():
        file.unlink()
    shutil.copytree(FILTER.parents[1], folder, dirs_exist_ok=True)
    done = subprocess.run([client, "-c", str(folder), "-d"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "['start', 'goals']" in done.stdout, f"{done.stdout}\n{done.stderr}"
    assert "['set', 'goals', 'addjournalmatch', '_SYSTEMD_UNIT=goals.service']" in done.stdout
    assert (ROOT / "deploy" / "goals.service").is_file()
    # A device that was forgotten and asks twice a minute bans nobody; a guesser fails ten times a minute.
    (allowed,), (minutes,) = (re.findall(rf"\['set', 'goals', '{name}', '?(\d+)m?'?\]", done.stdout) for name in ("maxretry", "findtime"))
    assert 2 * int(minutes) < int(allowed) < 10 * int(minutes), (allowed, minutes)
    (ignored,) = re.findall(r"\['set', 'goals', 'addignoreip', (.*)\]", done.stdout)
    assert {"127.0.0.0/8", "::1", "192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "fc00::/7"} <= set(ast.literal_eval(f"[{ignored}]"))
