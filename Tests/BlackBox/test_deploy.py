"""What an operator installs beside the binary, `deploy/` and docs/operating.md: it fits the binary, and itself."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from goals_server import ROOT, Server, binary, goals
from test_operation import metrics
from tier import THOROUGH

pytestmark = THOROUGH

DEPLOY = ROOT / "deploy"
TEXTS = [
    *(ROOT / name for name in ("Dockerfile", "compose.yaml", "docs/operating.md", "docs/many-servers.md")),
    *sorted(path for path in DEPLOY.rglob("*") if path.is_file()),
]

# Prometheus adds these itself.
OWN_LABELS = {"job", "instance"}

# Settings of the files in deploy/ and of the terminal, not of the server.
OWN_SETTINGS = {"GOALS_HOST", "GOALS_PATIENCE", "GOALS_UPSTREAM"}


def dashboard() -> dict[str, Any]:
    return json.loads((DEPLOY / "grafana-dashboard.json").read_text())


def dashboard_expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "prometheus-alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None and name == "systemd-analyze":
        pytest.skip(f"there is no {name} here, as in a container")
    assert found, f"there is no {name} here: run scripts/setup all"
    return found


def run(*command: str) -> str:
    """Runs it to its end, which has to be a good one, and gives everything that it prints."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    printed = result.stdout + result.stderr
    assert result.returncode == 0, f"{command}\n{printed}"
    return printed


def named(samples: Iterable[str]) -> set[str]:
    """The metrics of some samples: of a histogram, the name that its parts have in common."""
    return {re.sub(r"_(bucket|sum|count)$", "", sample) for sample in samples}


def asked_metrics(expression: str) -> set[str]:
    return named(re.findall(r"\b(?:goals|process)_[a-z_]+", expression))


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The metrics that a server gives, with the labels of each."""
    server = Server(tmp_path_factory.mktemp("s"), "--metrics-listen", "127.0.0.1:0").start()
    try:
        server.client().post("/v1/goals", {"title": "Counted"}).expect(201)
        server.run("backup", str(server.folder / "backup.sqlite")).expect(0)
        samples = metrics(server)
    finally:
        server.kill()
    labels: dict[str, set[str]] = {}
    for sample in samples:
        name, _, rest = sample.partition("{")
        labels.setdefault(named([name]).pop(), set()).update(re.findall(r"([a-z]+)=", rest))
    return labels


@pytest.mark.parametrize("source", ["dashboard", "alerts"])
def test_asks_for_metrics_that_there_are(source: str, given: dict[str, set[str]]) -> None:
    expressions = (
        dashboard_expressions() if source == "dashboard" else [rule["expr"] for rule in rules()]
    )
    assert expressions
    for expression in expressions:
        asked_for = asked_metrics(expression)
        assert asked_for or expression.startswith("up{"), expression
        assert asked_for <= given.keys(), f"{asked_for - given.keys()} in {expression}"
        known = OWN_LABELS.union(*(given[metric] for metric in asked_for))
        asked = set(re.findall(r"[{,]\s*([a-z]+)\s*=", expression))
        for labels in re.findall(r"\bby \(([^)]*)\)", expression):
            asked |= {label.strip() for label in labels.split(",")}
        assert asked <= known, f"{asked - known} in {expression}"


def test_the_dashboard_shows_every_metric(given: dict[str, set[str]]) -> None:
    assert set().union(*map(asked_metrics, dashboard_expressions())) == given.keys()


def test_the_panels_of_the_dashboard_lie_side_by_side() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24, panel["title"]
        cells = {
            (place["x"] + column, place["y"] + row)
            for column in range(place["w"])
            for row in range(place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells


def test_the_dashboard_asks_what_prometheus_understands(tmp_path: Path) -> None:
    promtool = program("promtool")
    recorded = [
        {
            "record": f"panel:{number}",
            "expr": expression.replace("$__rate_interval", "5m").replace("$instance", ".*"),
        }
        for number, expression in enumerate(dashboard_expressions())
    ]
    file = tmp_path / "dashboard.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}))
    run(promtool, "check", "rules", str(file))


def test_the_alerts_fire_when_they_should() -> None:
    promtool = program("promtool")
    run(promtool, "check", "rules", str(DEPLOY / "prometheus-alerts.yaml"))
    run(promtool, "test", "rules", str(DEPLOY / "prometheus-alerts.test.yaml"))


def test_every_alert_is_seen_both_firing_and_not() -> None:
    cases = [
        case
        for test in yaml.safe_load((DEPLOY / "prometheus-alerts.test.yaml").read_text())["tests"]
        for case in test["alert_rule_test"]
    ]
    names = {rule["alert"] for rule in rules()}
    assert {case["alertname"] for case in cases if case["exp_alerts"]} == names
    assert {case["alertname"] for case in cases if not case["exp_alerts"]} == names


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_names_settings_and_commands_that_there_are(path: Path) -> None:
    text = path.read_text()
    flags = re.findall(r"^ +--([a-z-]+)", goals("serve", "--help-hidden").expect(0).out, re.MULTILINE)
    settings = {"GOALS_" + flag.upper().replace("-", "_") for flag in flags}
    assert "GOALS_LISTEN" in settings
    asked = set(re.findall(r"\bGOALS_[A-Z_]+", text))
    assert asked <= settings | OWN_SETTINGS, asked - settings - OWN_SETTINGS
    code = "\n".join(re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL)) if path.suffix == ".md" else text
    for command in set(re.findall(r"(?:^|[\s`/'])goals (?!goals\b)([a-z]+)(?=[\s`])", code)):
        assert goals("help", command).code == 0, f"there is no goals {command}"


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("compose*.yaml")), ids=lambda path: path.name)
def test_adds_to_the_services_of_compose_yaml(path: Path) -> None:
    base = yaml.safe_load((ROOT / "compose.yaml").read_text())
    added = yaml.safe_load(path.read_text())
    assert "goals" in base["services"].keys() & added["services"].keys()
    volumes = base.get("volumes", {}) | added.get("volumes", {})
    for service in added["services"].values():
        for source in (volume.split(":")[0] for volume in service.get("volumes", [])):
            # The paths of all files are seen from the folder of the first.
            assert (ROOT / source).exists() if source.startswith(".") else source in volumes, source


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    units = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
    for unit in units:
        # It wants to find what a unit starts.
        text = unit.read_text().replace("/usr/local/bin/goals", binary())
        (tmp_path / unit.name).write_text(text)
    printed = run(analyze, "verify", "--man=no", *(str(tmp_path / unit.name) for unit in units))
    # What it does not understand it ignores, and says so.
    assert "goals" not in printed, printed


def test_the_unit_of_backups_is_skipped_for_a_database_on_postgresql() -> None:
    (condition,) = re.findall(r"ExecCondition=(.*)", (DEPLOY / "goals-backup.service").read_text())
    for database, code in (("/var/lib/goals/goals.sqlite", 0), ("postgresql://goals@db1/goals", 1)):
        ran = subprocess.run(shlex.split(condition), env={"GOALS_DATABASE": database, "PATH": "/usr/bin:/bin"})
        # Of systemd.service: 1 to 254 skip the unit without a failure.
        assert ran.returncode == code


def test_with_tls_no_port_is_published_without_it() -> None:
    published: dict[str, list[str]] = {}
    for file in (ROOT / "compose.yaml", DEPLOY / "compose.tls.yaml"):
        for name, service in yaml.safe_load(file.read_text())["services"].items():
            published.setdefault(name, []).extend(service.get("ports", []))
    assert published == {"goals": [], "proxy": ["443:443", "443:443/udp"]}


def test_without_tls_only_this_machine_reaches_the_server() -> None:
    services = yaml.safe_load((ROOT / "compose.override.yaml").read_text())["services"]
    assert services == {"goals": {"ports": ["127.0.0.1:8080:8080"]}}


BUILDS = [ROOT / "Dockerfile", *sorted(ROOT.glob("compose*.yaml")), *sorted(DEPLOY.glob("compose*.yaml")), *sorted((ROOT / ".github/workflows").glob("*.yml"))]


@pytest.mark.parametrize("path", BUILDS, ids=lambda path: path.name)
def test_takes_images_and_actions_by_their_digests(path: Path) -> None:
    for line in path.read_text().splitlines():
        taken = re.match(r"\s*(?:FROM|image:|container:|(?:- )?uses:)\s+(\S+)", line)
        if taken:
            assert re.search("@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$", taken[1]), line


def test_a_release_gives_its_token_to_one_step_of_a_job_and_no_more_rights_than_that_needs() -> None:
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    assert release["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in release["jobs"].items()} == {
        "pack": None,
        "image": {"contents": "read", "packages": "write"},
        "index": {"packages": "write"},
        "publish": {"contents": "write", "id-token": "write", "attestations": "write"},
    }
    for name, job in release["jobs"].items():
        assert "github.token" not in json.dumps({**job, "steps": []}), name
        with_token = [step["run"] for step in job["steps"] if "github.token" in json.dumps(step)]
        assert len(with_token) == (name != "pack"), name
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}, name


def test_a_release_has_checksums_and_provenance_of_every_file() -> None:
    steps = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["publish"]["steps"]
    sums = next(index for index, step in enumerate(steps) if "SHA256SUMS" in step.get("run", ""))
    attested, published = steps[sums + 1], steps[sums + 2]
    assert attested["uses"].startswith("actions/attest-build-provenance@") and attested["with"] == {"subject-path": "dist/*"}
    assert "gh release create" in published["run"] and " dist/* " in published["run"]


def test_the_nightly_run_tries_every_rig_once() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())["jobs"]
    parts = [part["rigs"].split(",") for part in jobs["deep"]["strategy"]["matrix"]["include"]]
    rigs = subprocess.run([sys.executable, "-c", "import deep; print(*deep.RIGS)"], cwd=ROOT / "Tests/Deep", capture_output=True, text=True, check=True).stdout
    assert sorted(rig for part in parts for rig in part) == sorted(rigs.split())
