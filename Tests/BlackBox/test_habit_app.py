"""docs/habit-app.md is the package Examples/HabitApp, and that is built as anyone's would be: by version, elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from goals_server import ROOT, Server, environment
from tier import THOROUGH

pytestmark = THOROUGH

EXAMPLE = ROOT / "Examples" / "HabitApp"
ADDRESS = "https://goals.example/goals.git"
BLOCK = re.compile(r"^```swift (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_is_the_example() -> None:
    told: dict[str, str] = {}
    for path, code in BLOCK.findall((ROOT / "docs" / "habit-app.md").read_text()):
        told[path] = told[path] + "\n" + code if path in told else code
    assert told == {str(file.relative_to(EXAMPLE)): file.read_text() for file in EXAMPLE.rglob("*.swift") if ".build" not in file.parts}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built in a folder of its own from a repository of Goals with a version."""
    folder = tmp_path_factory.mktemp("app")
    goals = folder / "goals"
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT).stdout
    for name in filter(None, listed.split("\0")):
        if os.path.lexists(ROOT / name):
            (goals / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, goals / name, follow_symlinks=False)
    run("git", "init", "--quiet", cwd=goals)
    run("git", "add", "--all", cwd=goals)
    author = ("-c", "user.name=A", "-c", "user.email=a@goals.example")
    run("git", *author, "commit", "--quiet", "--no-gpg-sign", "-m", "As it is", cwd=goals)
    run("git", *author, "tag", "0.1.0", cwd=goals)
    app = folder / "app"
    shutil.copytree(EXAMPLE, app, ignore=shutil.ignore_patterns(".build"))
    run("swift", "package", "config", "set-mirror", "--original", ADDRESS, "--mirror", goals.as_uri(), cwd=app)
    run("swift", "build", cwd=app)
    return app / ".build" / "debug" / "HabitApp"


def test_the_example_counts_with_a_server_and_without(app: Path, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    with Server(tmp_path / "s").start() as server:

        def count() -> str:
            return run(str(app), str(tmp_path / "habits"), server.url, server.token or "", cwd=tmp_path).stdout

        assert count() == "Yoga 1/5\nEverything is on the server.\n"
        server.stop()
        assert count() == "Yoga 2/5\nThe server can't be reached. 1 to be sent.\n"
        server.start()
        assert count() == "Yoga 3/5\nEverything is on the server.\n"
        # Who takes the connection and says nothing has nothing.
        with socket.create_server(("127.0.0.1", 0)) as mute:
            said = run(str(app), str(tmp_path / "habits"), f"http://127.0.0.1:{mute.getsockname()[1]}", "token", cwd=tmp_path).stdout
            assert said == "Yoga 4/5\nNot sent yet.\n"
        assert [goal["progress"] for goal in server.client().get("/v1/goals").expect(200).json()["goals"]] == [3]
