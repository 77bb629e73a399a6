"""docs/recipes.md is true: its shell blocks run, and what its YAML and JSON ask for is answered."""

from __future__ import annotations

import datetime
import http.server
import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

from goals_client import Client, edit, until
from goals_server import ROOT, UNLIMITED, Server, binary, environment
from tier import THOROUGH

pytestmark = THOROUGH

PAGE = (ROOT / "docs" / "recipes.md").read_text()
EXAMPLE = "https://goals.example.org"
GOAL = "01939b5a-7c5e-7000-8000-000000000001"  # the page's example


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


class Lived:
    """A server on which the page was worked through from top to bottom, in one shell."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.server = Server(folder, *UNLIMITED).start()
        programs = folder / "bin"
        programs.mkdir()
        (programs / "goals").symlink_to(binary())
        self.env = environment(
            {
                "URL": self.server.url, "TOKEN": self.server.token or "", "GOALS_DATABASE": str(self.server.database),
                "HOME": str(folder), "PATH": f"{programs}:{os.environ['PATH']}", "TZ": "Europe/Berlin",
            }
        )  # fmt: skip
        steps = [f"printf '\\n=== {number}\\n'\n{block}" for number, block in enumerate(blocks("sh"))]
        end = 'printf "\\n=== end\\n%s %s %s" "$GOAL" "$BUTTON" "$READER"'
        done = self.shell("\n".join([*steps, end]))
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        parts = re.split(r"\n=== \w+\n", done.stdout)[1:]
        self.printed = dict(zip(blocks("sh"), parts[:-1], strict=True))
        words: list[str] = parts[-1].split()
        self.goal, self.button, self.reader = words

    def shell(self, script: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            env={**self.env, **env}, cwd=self.folder, capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    def of(self, words: str) -> str:
        """What the block printed that holds these words."""
        (printed,) = [printed for block, printed in self.printed.items() if words in block]
        return printed


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    lived = Lived(tmp_path_factory.mktemp("s"))
    yield lived
    lived.server.kill()


class TestTheShellBlocks:
    def test_count_what_they_say(self, lived: Lived) -> None:
        # One press, two that were kept, a bottle that was told twice, a Shortcut, and a phone that tried twice.
        goal = lived.server.client().goal(lived.goal)
        assert goal["progress"] == 6, goal
        assert lived.of("./remind") == "Glasses of water: 3 of 8 glasses\n"
        assert lived.of("python3 count.py") == "4\n4\n"
        assert lived.of("for try in") == "6\n6\n"
        assert not list((lived.folder / "presses").iterdir())

    def test_hand_on_no_more_than_is_needed(self, lived: Lived) -> None:
        lived.server.client(lived.button).get("/v1/goals").expect(403)
        lived.server.client(lived.reader).post(f"/v1/goals/{lived.goal}/bump").expect(403)

    def test_move_everything_and_one_account(self, lived: Lived) -> None:
        def version(database: str, account: str) -> str:
            done = lived.shell(f"goals export {account} --database {database} | tail -n 1")
            assert done.returncode == 0, done.stderr
            return done.stdout

        assert version("new.sqlite", "me") == version("other.sqlite", "moved")

    def test_move_in_from_elsewhere_once(self, lived: Lived) -> None:
        first = lived.of("cat > move_in.py")
        again = lived.of("python3 move_in.py habits.csv\napi")
        assert first == "{'applied': 9}\n" and again.startswith("{'duplicate': 9}\n"), (first, again)
        me = lived.server.client()
        states = {}
        for goal in me.goals():
            history = me.get(f"/v1/goals/{goal['id']}/history?from=2025-11-03&to=2025-11-07").expect(200).json()
            states[goal["title"]] = [(period["count"], period["state"]) for period in history["periods"]]
        assert states["Yoga"] == [(1, "met"), (2, "met"), (0, "missed"), (1, "met")]
        assert states["Pages"] == [(0, "missed"), (30, "met"), (12, "met"), (0, "missed")]

    def test_give_a_panel_its_rows(self, lived: Lived) -> None:
        history, _, table = lived.of("history?from=").partition("date,goal,title")
        today = str(datetime.datetime.now(datetime.UTC).date())
        assert [(day["date"], day["count"]) for day in json.loads(history)["days"]] == [(today, 6)]
        assert f"{today},{lived.goal},Glasses of water,6,glasses" in table


class TestTheOrderThatThePageAsksFor:
    """What becomes of those who do it the other way round."""

    def test_is_that_of_add_and_activity_before_the_bumps(self, lived: Lived) -> None:
        me, goal = lived.server.new_client(), "b6a0e5c6-0000-4000-8000-000000000001"
        noon = "2025-11-04T12:00:00Z"
        add = edit("add", at=noon, goal={"id": goal, "title": "Late"})
        bumps = [edit("bump", goal=goal, at=noon) for _ in range(2)]
        codes = [outcome.get("code") for outcome in me.outcomes(bumps[0], add, bumps[1])]
        assert codes == ["unknown-goal", None, "inactive-goal"]

    def test_is_that_of_the_pause_before_its_end(self, lived: Lived) -> None:
        for pause, is_on in ((["06", "09"], True), (["09", "06"], False)):
            me, goal = lived.server.new_client(), "b6a0e5c6-0000-4000-8000-000000000002"
            edits = [edit("add", at="2025-01-01T12:00:00Z", goal={"id": goal, "title": "Swim"})]
            for month, active in [("01", True)] + [(month, month == "09") for month in pause]:
                edits.append(edit("setActivity", at=f"2025-{month}-02T12:00:00Z", activity={goal: active}))
            statuses = [outcome["status"] for outcome in me.outcomes(*edits)]
            assert statuses == ["applied", "applied", *(["applied", "applied"] if is_on else ["unchanged", "applied"])]
            assert me.goal(goal)["active"] == is_on


def test_a_button_without_a_network_keeps_its_presses(lived: Lived) -> None:
    mine = {"GOAL": lived.goal, "BUTTON": lived.button}
    before = lived.server.client().goal(lived.goal)["progress"]
    lived.server.stop()
    assert lived.shell("./button press; ./button press", **mine).returncode == 0
    assert lived.shell("./button send", **mine).returncode == 1
    assert len(list((lived.folder / "presses").iterdir())) == 2
    lived.server.start()
    mine["URL"] = lived.env["URL"] = lived.server.url
    for _ in range(2):
        done = lived.shell("./button send", **mine)
        assert done.returncode == 0, done.stderr
    assert lived.server.client().goal(lived.goal)["progress"] == before + 2
    # What the server refuses is put aside, and is in nobody's way.
    (lived.folder / "presses" / "no-id").write_text("{}")
    assert lived.shell("./button press; ./button send", **mine).returncode == 0
    assert [file.name for file in (lived.folder / "presses").iterdir()] == [".refused-no-id"]
    assert lived.server.client().goal(lived.goal)["progress"] == before + 3


def test_a_button_whose_token_is_refused_asks_no_more_until_it_has_another(lived: Lived) -> None:
    me = lived.server.client()
    before = me.goal(lived.goal)["progress"]
    token = {"name": "a button", "scope": "bump", "goal": lived.goal}
    old, new = (me.post("/v1/tokens", token).expect(201).json() for _ in range(2))
    mine = {"GOAL": lived.goal, "URL": lived.server.url, "PRESSES": str(lived.folder / "revoked")}
    me.delete(f"/v1/tokens/{old['id']}").expect(204)

    def failures() -> int:
        return sum("a sign-in failed" in line for line in lived.server.err)

    known = failures()
    done = lived.shell("./button press; ./button press; ./button send", BUTTON=old["token"], **mine)
    assert done.returncode == 1 and "put a new one into BUTTON" in done.stderr, done.stderr
    until(lambda: failures() == known + 1, "the server has told of the one that failed")
    for _ in range(3):
        again = lived.shell("./button send", BUTTON=old["token"], **mine)
        assert (again.returncode, again.stderr) == (1, "")
    # Its failures are told in order, so none came before this one.
    with closing(lived.server.client("goals_none")) as stranger:
        stranger.get("/v1/goals").expect(401)
    until(lambda: failures() == known + 2, "the server has told of the stranger")
    assert lived.shell("./button send", BUTTON=new["token"], **mine).returncode == 0
    assert me.goal(lived.goal)["progress"] == before + 2
    assert failures() == known + 2


class TestHomeAssistant:
    class Loader(yaml.SafeLoader):
        """Home Assistant's YAML: `!secret` takes the place of a text."""

    SECRETS: dict[str, str] = yaml.safe_load(blocks("yaml")[0])
    Loader.add_constructor("!secret", lambda _, node: f"secret {node.value}")

    @pytest.fixture
    def home(self, lived: Lived) -> Client:
        me = lived.server.new_client()
        me.put(f"/v1/goals/{GOAL}", {"title": "Glasses of water", "frequency": 8}).expect(201)
        me.patch(f"/v1/goals/{GOAL}", {"active": True}).expect(200)
        return me

    def part(self, name: str) -> Any:
        (found,) = [part[name] for block in blocks("yaml")[1:] if isinstance(part := yaml.load(block, self.Loader), dict) and name in part]
        return found

    @staticmethod
    def rendered(template: str, **values: Any) -> str:
        return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(template).render(values).strip()

    def token(self, home: Client, headers: dict[str, str], **wanted: Any) -> str:
        name = headers["Authorization"].removeprefix("secret ")
        assert self.SECRETS[name] == "Bearer goals_…"
        return home.post("/v1/tokens", {"name": name, **wanted}).expect(201).json()["token"]

    def test_counts_by_a_command(self, lived: Lived, home: Client) -> None:
        automations = next(part for block in blocks("yaml") if isinstance(part := yaml.load(block, self.Loader), list))
        (action,) = automations[0]["actions"]
        command = self.part("rest_command")[action["action"].removeprefix("rest_command.")]
        assert command["method"] == "post"
        now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=1)))
        values = {**action["data"], "now": lambda: now}
        path = self.rendered(command["url"], **values).removeprefix(EXAMPLE)
        button = lived.server.client(self.token(home, command["headers"], scope="bump", goal=GOAL))
        for by in (1, None):
            values = {"now": lambda: now} if by is None else values
            body = self.rendered(command["payload"], **values).encode()
            button.post(path, body, content_type=command["content_type"]).expect(200)
        assert home.goal(GOAL)["progress"] == 2

    def test_knows_what_was_counted(self, lived: Lived, home: Client) -> None:
        home.post(f"/v1/goals/{GOAL}/bump", {"by": 3}).expect(200)
        ((several, sensor),) = [(rest, rest["sensor"][0]) for rest in self.part("rest")]
        (alone,) = self.part("sensor")
        for resource, template in ((several, sensor["value_template"]), (alone, alone["value_template"])):
            reader = lived.server.client(self.token(home, resource["headers"], scope="read"))
            answer = reader.get(resource["resource"].removeprefix(EXAMPLE)).expect(200).json()
            assert self.rendered(template, value_json=answer) == "3"
        assert set(alone["json_attributes"]) <= answer.keys()

    def test_automations_name_what_there_is(self) -> None:
        automations = next(part for block in blocks("yaml") if isinstance(part := yaml.load(block, self.Loader), list))
        sensors = {re.sub(r"\W+", "_", rest["sensor"][0]["name"].lower()) for rest in self.part("rest")}
        asked = {condition["entity_id"].removeprefix("sensor.") for one in automations for condition in one.get("conditions", [])}
        assert asked == sensors and len({one["id"] for one in automations}) == len(automations)
        message = automations[1]["actions"][0]["data"]["message"]
        assert self.rendered(message, states=lambda name: "3" if name == f"sensor.{sensors.pop()}" else "") == "5 glasses to go."

    def test_is_told_of_edits_as_they_are_recorded(self, lived: Lived) -> None:
        told: list[dict[str, Any]] = []

        class Hook(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=hook.serve_forever, daemon=True).start()
        env = {**lived.env, "URL": lived.server.url, "READER": lived.reader, "HOOK": f"http://127.0.0.1:{hook.server_address[1]}/api/webhook/x"}
        script = subprocess.Popen(["./tell"], env=env, cwd=lived.folder, start_new_session=True)
        try:
            me = lived.server.client()

            def heard() -> bool:
                me.post(f"/v1/goals/{lived.goal}/bump", {"note": "“heard”"}).expect(200)
                return bool(told)

            until(heard, "the webhook is told", 20, 0.2)
            assert (told[0]["type"], told[0]["goal"], told[0]["note"]) == ("bump", lived.goal, "“heard”")
        finally:
            os.killpg(script.pid, 15)
            script.wait()
            hook.shutdown()


def test_grafana_is_given_the_columns_that_its_panel_has(lived: Lived) -> None:
    me = lived.server.new_client()
    me.put(f"/v1/goals/{GOAL}", {"title": "Glasses of water"}).expect(201)
    me.patch(f"/v1/goals/{GOAL}", {"active": True}).expect(200)
    me.post(f"/v1/goals/{GOAL}/bump").expect(200)
    (panel,) = blocks("json")
    (target,) = json.loads(panel)
    ago = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=30)
    path = target["url"].removeprefix(EXAMPLE).replace("${__from:date:YYYY-MM-DD}", str(ago))
    answer = me.get(path).expect(200).json()
    for root, columns in ((target["root_selector"], [column["selector"] for column in target["columns"]]), ("periods", ["start", "count", "state"])):
        assert answer[root] and all(set(columns) <= row.keys() for row in answer[root]), root
    header = me.get("/v1/export.csv").expect(200).body.decode().splitlines()[0]
    assert {"date", "title", "count"} <= set(header.split(","))


def test_leads_only_to_pages_that_there_are() -> None:
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        text = (ROOT / "docs" / path).read_text()
        headings = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.M)}
        assert not anchor or anchor in headings, link
