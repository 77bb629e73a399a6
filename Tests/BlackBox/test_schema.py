"""schemathesis reads openapi.yaml and tries what it says: with data that it allows and data that it forbids,
by its examples, at the limits of each value, at random, and in chains of requests along its links.

Every check of schemathesis is on. `schema_hooks.py` says what a schema cannot, and adds checks. The seed is
printed; `GOALS_TEST_SEED=… python -m pytest test_schema.py` tries the same again, and `GOALS_EXAMPLES=1000` tries more
of each operation at random, and more chains. A failure is shown with its `curl` line.
"""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

import tier
from goals_server import ROOT, Server, environment

pytestmark = tier.THOROUGH

# Anyone may sign up, so that that is tried, too.
FLAGS = ("--sign-up", "open")
SEED = tier.seed()
EXAMPLES = int(os.environ.get("GOALS_EXAMPLES") or 20)
# schemathesis can't write NDJSON; test_export.py tries what is said of it.
UNTRIED = {"importLog"}
METHODS = {"get", "put", "post", "delete", "patch"}
# How often an operation answered with a status.
Tally = collections.Counter[tuple[str, int]]


def operations() -> dict[str, str]:
    """The path of each operation that openapi.yaml describes."""
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
    return {
        operation["operationId"]: path for path, item in paths.items() for method, operation in item.items() if method in METHODS
    }


def identities(folder: Path, server: Server) -> tuple[str, list[str]]:
    """The token of a fresh account, and how schemathesis is told of it and of another, which must see nothing of it."""
    tokens = {name: server.account()["token"] for name in ("ann", "bob")}
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {token}"}]} for name, token in tokens.items()
    ]
    (folder / "users.yaml").write_text(yaml.safe_dump({"auth": users}))
    settings = folder / "schemathesis.toml"
    settings.write_text('[auth.wfc]\npath = "users.yaml"\nuser = "ann"\npeers = ["ann", "bob"]\n')
    return tokens["ann"], ["--config-file", str(settings)]


def run(server: Server, folder: Path, phases: str, *options: str, seed: int = SEED, is_stranger: bool = False) -> Tally:
    """A run of schemathesis of every operation, and without a failure."""
    tally = folder / "tally"
    token, who = ("", []) if is_stranger else identities(folder, server)
    # Of a document that it reads from the server itself, schemathesis leaves out the operation that answers it.
    command = [sys.executable, "-m", "schemathesis.cli", *who, "run", str(ROOT / "openapi.yaml"), "--url", server.url]
    command += ["--phases", phases, "--checks", "all", "--mode", "all", "--seed", str(seed), "--generation-database", "none"]
    command += ["--output-sanitize", "false", "--no-color", "--warnings", "off", *options]
    for operation in sorted(UNTRIED):
        command += ["--exclude-operation-id", operation]
    hooks = {
        "SCHEMATHESIS_HOOKS": "schema_hooks",
        "PYTHONPATH": str(Path(__file__).parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GOALS_SCHEMA_URL": server.url,
        "GOALS_SCHEMA_TOKEN": token,
        "GOALS_SCHEMA_TALLY": str(tally),
        "COLUMNS": "120",
    }
    print(f"GOALS_TEST_SEED={SEED}")
    result = subprocess.run(command, cwd=folder, env=environment(hooks), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(result.stdout[-20000:], result.stderr[-5000:])
    assert result.returncode == 0, "schemathesis found something: see above"
    selected = re.search(r"Selected: (\d+)/(\d+)\n", result.stdout)
    counts = (str(len(operations()) - len(UNTRIED)), str(len(operations())))
    assert selected and selected.groups() == counts, "not every operation was tried"
    lines = [json.loads(line) for line in tally.read_text().splitlines()]
    return collections.Counter((line["operation"], line["status"]) for line in lines)


def succeeded(tally: Tally) -> set[str]:
    return {operation for operation, status in tally if status in (200, 201, 204)}


def test_each_operation_is_as_it_is_described(server: Server, tmp_path: Path) -> None:
    tally = run(server, tmp_path, "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES))
    assert succeeded(tally) == set(operations()) - UNTRIED, "each operation has succeeded at least once"


def test_chains_of_operations_are_as_they_are_described(server: Server, tmp_path: Path) -> None:
    tally: Tally = collections.Counter()
    for attempt in range(100):
        # A run ends early where hypothesis meets too many chains that lead nowhere.
        folder = tmp_path / str(attempt)
        folder.mkdir()
        tally += run(server, folder, "stateful", "--max-examples", str(EXAMPLES), seed=SEED + attempt)
        if tally.total() >= 5 * EXAMPLES:
            break
    assert len(succeeded(tally)) > 3, "several operations have succeeded"


def test_a_stranger_is_refused(server: Server, tmp_path: Path) -> None:
    tally = run(server, tmp_path, "examples,fuzzing", "--max-examples", str(max(EXAMPLES // 4, 5)), is_stranger=True)
    closed = {operation for operation, path in operations().items() if operation not in UNTRIED and path.startswith("/v1/") and path != "/v1/accounts"}
    assert closed and succeeded(tally) == set(operations()) - UNTRIED - closed
    assert {(operation, 401) for operation in closed} <= set(tally)
