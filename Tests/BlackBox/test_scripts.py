"""The scripts by which `make test` runs the suites."""

from __future__ import annotations

import subprocess
from pathlib import Path

from goals_client import until
from goals_server import ROOT, binary, environment


def run(commands: str, script: str = "without-leftovers") -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [ROOT / "scripts" / script, "bash", "-euc", commands]
    return subprocess.run(command, capture_output=True, text=True, env=environment({"GOALS": binary()}))


def test_what_leaves_nothing_ends_as_it_ends() -> None:
    assert (run("touch $TMPDIR/x; rm $TMPDIR/x").returncode, run("exit 3").returncode) == (0, 3)


def test_a_file_that_is_left_is_named_and_removed() -> None:
    done = run("touch $TMPDIR/forgotten; echo $TMPDIR")
    assert done.returncode == 1 and "forgotten" in done.stderr, done.stderr
    assert not Path(done.stdout.strip()).exists()


def test_a_server_that_is_left_running_is_named_and_ended() -> None:
    done = run(
        """
        mkdir $TMPDIR/d
        $GOALS serve --listen 127.0.0.1:0 --database $TMPDIR/d/goals.sqlite > $TMPDIR/d/out 2>&1 &
        until grep -q Listening $TMPDIR/d/out; do kill -0 $!; done
        rm -r $TMPDIR/d
        echo $!
        """
    )
    assert done.returncode == 1 and f"left running: {binary()} serve" in done.stderr, done.stderr
    process = int(done.stdout)
    until(lambda: not Path(f"/proc/{process}").exists(), "the server ends")


def test_what_failed_is_said_last() -> None:
    lines = "echo '✘ Test a failed'; echo '◇ Test b started.'"
    failed = run(f"{lines}; exit 3", "failures-last")
    assert (failed.returncode, failed.stdout.splitlines()[2:]) == (3, ["What failed:", "✘ Test a failed"])
    passed = run(lines, "failures-last")
    assert (passed.returncode, len(passed.stdout.splitlines())) == (0, 2)
