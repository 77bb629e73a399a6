"""What openapi.yaml cannot say to schemathesis, and checks of our own beside its own.

`test_schema.py` runs schemathesis with this file (SCHEMATHESIS_HOOKS). No check is turned off. What the
contract refuses although the schema allows it depends on the state or on two fields at once; each such
refusal is excused by `excuse`, which asks whether it was right instead.
"""

from __future__ import annotations

import collections
import functools
import json
import os
import re
import urllib.parse
import uuid
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import requests
import schemathesis
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis.core import NOT_SET

# Where the server is, the token of the run (empty: a stranger), and the file to count the answers in.
URL = os.environ["GOALS_SCHEMA_URL"]
TOKEN = os.environ["GOALS_SCHEMA_TOKEN"]
TALLY = os.environ["GOALS_SCHEMA_TALLY"]
PROBLEM = "application/problem+json"
# Of every answer: those of HTTP itself (RFC 9110 §6.6.1, §8.3, §8.6; RFC 9112 §6.1, §9.6), its request's name, and that it is not framed.
HEADERS_OF_ALL = {"date", "content-type", "content-length", "transfer-encoding", "connection", "x-request-id", "content-security-policy"}
OLDEST = datetime(2000, 1, 1, tzinfo=UTC)


# Values.

ZONES = sorted(zoneinfo.available_timezones() - {"localtime", "Factory"})
schemathesis.openapi.format("time-zone", st.sampled_from(ZONES))


def spelled(seconds: int, milliseconds: int, offset: int, form: int) -> str:
    moment = datetime.fromtimestamp(seconds, timezone(timedelta(minutes=offset)))
    zone = moment.strftime("%z")
    text = moment.strftime("%Y-%m-%dT%H:%M:%S") + ["", f".{milliseconds:03d}", f".{milliseconds:03d}999", ".5"][form]
    return text + ("Z" if offset == 0 else f"{zone[:3]}:{zone[3:]}")


def instants(latest: datetime) -> st.SearchStrategy[str]:
    """Instants that an edit may have: mostly of the last weeks, of the years since 2000 else."""
    now = int(latest.timestamp())
    seconds = st.integers(now - 40 * 86400, now) | st.integers(int(OLDEST.timestamp()), now)
    return st.builds(spelled, seconds, st.integers(0, 999), st.integers(-23, 23).map(lambda n: n * 60 // 2), st.integers(0, 3))


schemathesis.openapi.format("date-time", instants(datetime.now(UTC)))


turns: collections.Counter[str] = collections.Counter()


def every_second(what: str) -> bool:
    turns[what] += 1
    return turns[what] % 2 == 1


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Puts ids, names, ETags and cursors in that are there: at random there is hardly one, and all is 404, 412 and 410.

    What is wrong with a request stays wrong: only what the schema allows is replaced.
    """
    kwargs["hooks"] = {"response": cut_stream}
    # Drawn by chance, its value is a coding that no server knows, which is 501 (RFC 9112 §6.1, and test_http.py).
    case.headers.pop("Transfer-Encoding", None)
    if case.meta is None:
        return
    positive = case.meta.generation.mode.is_positive
    operation = case.operation.definition.raw["operationId"]
    ids = case.path_parameters or {}
    drawn = case.meta.phase.name.value in ("coverage", "fuzzing")
    if positive and drawn and operation == "readClient" and every_second("file"):
        case.path_parameters = {**ids, "name": "worker.js"}
    if not TOKEN:
        return
    own_tokens()
    if positive and drawn and case.operation.path.startswith("/v1/goals/{id}") and every_second("goal"):
        case.path_parameters = {**ids, "id": goal_that_is_there()}
    if case.operation.path == "/v1/tokens/{id}" and str(ids.get("id")).lower() in own_tokens():
        # The run itself, and the other account's, go on with theirs.
        case.path_parameters = {**ids, "id": str(uuid.uuid4())}
    if positive and "If-Match" in case.headers and every_second("ETag"):
        case.headers["If-Match"] = ask("GET", "/v1/goals").headers["ETag"]
    if positive and operation == "setActivity" and every_second("activity"):
        case.body = activity(case)
    # A cursor of another history hides what else is wrong.
    if isinstance(case.body, dict) and is_cursor(case.body.get("after")) and (not positive or every_second("cursor")):
        case.body = {**case.body, "after": ask("GET", "/v1/goals").json()["cursor"]}
    if is_cursor(case.query.get("after")) and (not positive or every_second("cursor")):
        case.query["after"] = ask("GET", "/v1/goals").json()["cursor"]
    # What is held back for longer than schemathesis waits is no fault, whatever else the request is.
    if str(case.query.get("wait")) in map(str, range(1, 31)):
        case.query["wait"] = 1
    if positive and case.method in ("PUT", "PATCH") and isinstance(case.body, dict) and "id" in case.body and "id" in ids:
        # The id in the body is the path's (422 otherwise, see GoalReadingTests.swift): no schema can say so.
        case.body = {**case.body, "id": str(case.path_parameters["id"])}


def cut_stream(response: requests.Response, **_: Any) -> None:
    """Reads no more than the first event of what has no end."""
    if response.headers.get("Content-Type") == "text/event-stream":
        response._content = response.raw.read1()
        response.close()


def is_cursor(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"(0|[1-9][0-9]{0,17})\.[0-9a-f]{16}", value) is not None


def activity(case: Any) -> dict[str, Any]:
    """The body of a case of setActivity, with goals that are there."""
    asked = case.body["activity"]
    if isinstance(asked, dict):
        return {"activity": {goal_that_is_there(): value for value in asked.values()}}
    goals = ask("GET", "/v1/goals")
    case.headers["If-Match"] = goals.headers["ETag"]
    count = len(goals.json()["goals"])
    return {"activity": (asked * count or [True] * count)[:count]}


there = {"id": "none"}


def goal_that_is_there() -> str:
    """The id of an active goal: the last one, as long as it is so."""
    goal = ask("GET", f"/v1/goals/{there['id']}")
    if goal.status_code == 404:
        there["id"] = str(uuid.uuid4())
        ask("PUT", f"/v1/goals/{there['id']}", {"title": "There"})
    if goal.status_code == 404 or not goal.json()["active"]:
        ask("PATCH", f"/v1/goals/{there['id']}", {"active": True})
    return there["id"]


@functools.cache
def own_tokens() -> set[str]:
    """The ids of the tokens that there were before the run."""
    return {token["id"] for token in ask("GET", "/v1/tokens").json()["tokens"]}


own = requests.Session()


def ask(method: str, path: str, body: Any = None) -> requests.Response:
    """A request of our own, beside those that are tried."""
    return own.request(method, f"{URL}{path}", json=body, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Counts what was answered, so that a run in which nothing succeeded is no success."""
    if response.status_code == 200 and "dryRun=true" not in (response.request.url or ""):
        outcomes = problem(response).get("outcomes", [])
        promised.update(outcome["id"] for outcome in outcomes if outcome.get("status") in ("applied", "duplicate"))
    phase = case.meta.phase.name.value if case.meta else "none"
    line = {
        "operation": case.operation.definition.raw["operationId"],
        "method": response.request.method,
        "status": response.status_code,
        "phase": phase,
    }
    with Path(TALLY).open("a") as file:
        file.write(json.dumps(line) + "\n")


# The ids of the edits of which was said that they are recorded.
promised: set[str] = set()


# Refusals that the contract asks for.


def problem(response: Any) -> dict[str, Any]:
    try:
        value = json.loads(response.content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def sent_header(response: Any, name: str) -> str | None:
    value = response.request.headers.get(name)
    return value.decode("latin-1") if isinstance(value, bytes) else value


def sent_body(response: Any) -> Any:
    try:
        return json.loads(response.request.body or b"null")
    except ValueError:
        return None


def members(value: Any, name: str) -> Iterator[Any]:
    """Every value that has this name, however deep."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == name:
                yield item
            yield from members(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from members(item, name)


def instant(text: Any) -> datetime | None:
    if not isinstance(text, str):
        return None
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text)
    if not match:
        return None
    day, minute, second, fraction, zone = match.groups()
    try:
        # A leap second is the second before it here.
        moment = datetime.fromisoformat(f"{day}T{minute}:{min(int(second), 59):02d}{(fraction or '.0')[:7]}{zone.upper()}")
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        # 0001-01-01 with an offset, say.
        return datetime.min.replace(tzinfo=UTC) if day < "1000" else None


def rightly_refused(response: Any, case: Any) -> bool:
    """Whether a request that the schema allows was refused for a reason that is really there."""
    fault = problem(response)
    body = sent_body(response)
    match = sent_header(response, "If-Match")
    pointers = [error.get("pointer") for error in fault.get("errors", [])]
    moments = [instant(text) for text in members(body, "at")]
    match response.status_code, fault.get("code"):
        # The goals have changed since, or never were so: the ETag that is asked for is not the present one. Or
        # it is, and must not be.
        case 412, "version-mismatch":
            none_match = sent_header(response, "If-None-Match")
            wanted = match is not None and (match == "*" or response.headers["etag"][0] not in match)
            unwanted = none_match is not None and (none_match == "*" or response.headers["etag"][0] in none_match)
            return wanted or unwanted
        # The cursor is of no place in this account's log.
        case 410, "cursor-diverged":
            return bool(re.search(r"[?&](after|cursor)=", response.request.url or "")) or bool(isinstance(body, dict) and body.get("after"))
        # An array is right or wrong by the list that it was made for.
        case 428, "version-required":
            return isinstance(body, dict) and isinstance(body.get("activity"), list) and match in (None, "*")
        # By the server's clock.
        case 422, "in-future":
            return any(moment and moment > datetime.now(UTC) for moment in moments)
        case 422, "too-old":
            return any(moment and moment < OLDEST for moment in moments)
        # By the account's day of `at`, which is the one in UTC or one beside it.
        case 422, "invalid" if pointers == ["/day"] and isinstance(body, dict):
            return body.get("day") != (moments[0] if moments and moments[0] else datetime.now(UTC)).date().isoformat()
        # By the time-zone database.
        case 422, "unknown-time-zone":
            return any(zone not in ZONES for zone in members(body, "timeZone"))
        # A token's expiry is to come, and the goal it bumps in the list.
        case 422, "invalid" if pointers and set(pointers) <= {"/expiresAt", "/goal"} and isinstance(body, dict):
            expiry, goal = instant(body.get("expiresAt")), body.get("goal")
            gone = isinstance(goal, str) and ask("GET", f"/v1/goals/{urllib.parse.quote(goal, safe='')}").status_code == 404
            return ("/expiresAt" in pointers) <= (expiry is None or expiry <= datetime.now(UTC)) and ("/goal" in pointers) <= gone
        # There are as many as there may be.
        case 409, "limit-reached" if case.operation.path == "/v1/tokens":
            return len(ask("GET", "/v1/tokens").json()["tokens"]) >= 1000
        # By the length of the log.
        case 422, "invalid" if pointers == ["/version"]:
            return "version=" in (response.request.url or "")
        # Only the whole log, oldest first, can be waited for.
        case 422, "invalid" if pointers == ["/wait"]:
            return case.operation.path == "/v1/edits" and {"goal", "order"} & case.query.keys() != set()
        # By the days between the two, of which one may be today.
        case 422, "invalid" if pointers and set(pointers) <= {"/from", "/to"}:
            return is_no_window(response.request.url or "", 400 if case.operation.path == "/v1/history" else 3660)
        # schemathesis takes some requests for right whose header it has made wrong.
        case 422, "invalid" if pointers and set(pointers) <= {"/If-Match", "/If-None-Match"}:
            sent = {name: sent_header(response, name) for name in (pointer[1:] for pointer in pointers)}
            return all(value is not None and not allowed_in_header(case, name, value) for name, value in sent.items())
    return False


def is_no_window(url: str, longest: int) -> bool:
    """Whether `from` and `to` are not so many days apart; `to` is tomorrow, wherever the account is, by default."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    today = datetime.now(UTC).date().toordinal()
    try:
        ends = [datetime.fromisoformat(query["to"][0]).toordinal()] if "to" in query else range(today, today + 3)
        starts = [datetime.fromisoformat(query["from"][0]).toordinal()] if "from" in query else []
    except ValueError:
        return True
    return any(not 1 <= end - start <= longest for end in ends for start in starts or [end - 365])


def allowed_in_header(case: Any, name: str, value: str) -> bool:
    """Whether openapi.yaml allows a header to have this value."""
    document = case.operation.schema.raw_schema
    for each in case.operation.definition.raw.get("parameters", []):
        parameter = follow(document, each["$ref"]) if "$ref" in each else each
        if parameter["in"] == "header" and parameter["name"] == name:
            return Draft202012Validator({**parameter["schema"], "components": document["components"]}).is_valid(value)
    return True


def edits_rightly_rejected(response: Any, case: Any) -> bool:
    """Whether a batch was taken in which edits are wrong, and exactly those are `rejected`: they block no other."""
    body = sent_body(response)
    if response.status_code != 200 or case.operation.path not in ("/v1/edits", "/v1/sync"):
        return False
    if not isinstance(body, dict) or not isinstance(body.get("edits"), list):
        return False
    around = case.operation.definition.raw["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    right = {"id": str(uuid.UUID(int=1)), "type": "delete", "goal": str(uuid.UUID(int=2))}
    outcomes = json.loads(response.content)["outcomes"]
    if not validator(case, around).is_valid({**body, "edits": [right] * len(body["edits"])}) or len(outcomes) != len(
        body["edits"]
    ):
        return False
    edit = validator(case, "#/components/schemas/Edit")
    codes = [outcome.get("code") for outcome in outcomes]
    return "invalid" in codes and all(
        code == "invalid" or edit.is_valid(sent) for code, sent in zip(codes, body["edits"], strict=True)
    )


def is_place_of_its_header(response: Any, case: Any) -> bool:
    """Whether a stream goes on from its `Last-Event-ID`: an `after` beside it is not looked at, and nothing else is wrong."""
    names = set(urllib.parse.parse_qs(urllib.parse.urlsplit(response.request.url or "").query, keep_blank_values=True))
    return case.operation.path == "/v1/changes" and names == {"after"} and is_cursor(sent_header(response, "Last-Event-ID"))


validators: dict[str, Draft202012Validator] = {}


def validator(case: Any, reference: str) -> Draft202012Validator:
    if reference not in validators:
        components = case.operation.schema.raw_schema["components"]
        validators[reference] = Draft202012Validator({"$ref": reference, "components": components})
    return validators[reference]


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    match failure.code:
        case "ST202":  # positive_data_acceptance
            return not rightly_refused(response, case)
        case "ST201":  # negative_data_rejection
            return not (edits_rightly_rejected(response, case) or is_place_of_its_header(response, case))
        case "ST301":  # use_after_free
            return not rightly_back(case)
        case "ST302":  # ensure_resource_availability
            return not rightly_absent(case, response)
    return True


def rightly_back(case: Any) -> bool:
    """Whether what a request has deleted is rightly there: a goal whose `delete` was undone."""
    log = whole_log()
    id = str((case.path_parameters or {}).get("id"))
    deletions = {edit["id"] for edit in log if edit["type"] == "delete" and edit["goal"] == id}
    return any(edit["type"] == "undo" and edit["edit"] in deletions for edit in log)


def rightly_absent(case: Any, response: Any) -> bool:
    """Whether what a request seemed to make is rightly not there: an edit that was not recorded, a goal that is gone.

    An edit that is rejected, or asked for with `dryRun`, is answered with 200 too. The log says whether a goal
    was deleted by an edit, or its `add` undone.
    """
    id = str((case.path_parameters or {}).get("id"))
    if case.operation.path.startswith("/v1/edits/"):
        return id not in promised
    if case.operation.path.startswith("/v1/tokens/"):
        return id not in [token["id"] for token in ask("GET", "/v1/tokens").json()["tokens"]]
    log = whole_log()
    added = {edit["id"] for edit in log if edit["type"] == "add" and edit["goal"]["id"] == id}
    return any(
        (edit["type"] == "delete" and edit["goal"] == id) or (edit["type"] == "undo" and edit["edit"] in added) for edit in log
    )


def whole_log() -> list[dict[str, Any]]:
    edits: list[dict[str, Any]] = []
    page = ask("GET", "/v1/edits?limit=1000").json()
    while page["more"]:
        edits += page["edits"]
        page = ask("GET", f"/v1/edits?limit=1000&after={page['cursor']}").json()
    return edits + page["edits"]


# Checks of our own. `case.operation` is as openapi.yaml has it.

UNDESCRIBED = {
    # What is no request of this operation is described together, as its `default`.
    (404, "not-found"),
    (405, "method-not-allowed"),
    (501, "not-implemented"),
    (505, "http-version-not-supported"),
}


def described(case: Any, response: Any) -> tuple[str, dict[str, Any]]:
    """The answer's description: its status and what openapi.yaml says of it."""
    responses = case.operation.definition.raw["responses"]
    status = str(response.status_code)
    status = status if status in responses else "default"
    found = responses[status]
    while "$ref" in found:
        found = follow(case.operation.schema.raw_schema, found["$ref"])
    return status, found


def follow(document: dict[str, Any], reference: str) -> Any:
    value: Any = document
    for name in reference.removeprefix("#/").split("/"):
        value = value[name]
    return value


def is_of_operation(case: Any, response: Any) -> bool:
    """Whether it was asked with the method of the operation, not with one that the path does not have."""
    return bool(response.request.method == case.operation.method.upper())


@schemathesis.check
def status_is_listed(ctx: Any, response: Any, case: Any) -> None:
    """`default` is for what is no request of the operation; with it, status_code_conformance allows anything."""
    status, _ = described(case, response)
    if is_of_operation(case, response) and status == "default":
        code = problem(response).get("code")
        assert (response.status_code, code) in UNDESCRIBED, f"{response.status_code} {code} is not listed"


@schemathesis.check
def headers_are_listed(ctx: Any, response: Any, case: Any) -> None:
    if not is_of_operation(case, response):
        return
    _, description = described(case, response)
    known = {name.lower() for name in description.get("headers", {})} | HEADERS_OF_ALL
    unknown = set(response.headers) - known
    assert not unknown, f"{response.status_code} has headers that are not listed: {sorted(unknown)}"


@schemathesis.check
def errors_are_problems(ctx: Any, response: Any, case: Any) -> None:
    """RFC 9457, with the status in the body, a type that ends in the code, and each fault told once."""
    if response.status_code < 400:
        return
    value = problem(response)
    assert response.headers.get("content-type") == [PROBLEM], response.headers.get("content-type")
    assert value["status"] == response.status_code and value["type"].endswith(f"#{value['code']}"), value
    faults = [(error["pointer"], error["detail"]) for error in value.get("errors", [])]
    assert len(faults) == len(set(faults)), f"a fault is told twice: {faults}"


@schemathesis.check
def strangers_are_refused(ctx: Any, response: Any, case: Any) -> None:
    """Without a token nothing below /v1 answers anything but 401, whatever else is wrong.

    Bytes that are no right HTTP are refused before there is a request to look at.
    """
    if sent_header(response, "Authorization") is not None or case.operation.path == "/v1/accounts":
        return
    if not case.operation.path.startswith("/v1/"):
        return
    if is_of_operation(case, response) and problem(response).get("code") != "malformed-request":
        assert response.status_code == 401, f"{response.status_code} without a token"
        assert response.headers.get("www-authenticate") == ["Bearer"], response.headers


asked: set[tuple[str, str]] = set()


def first(question: str, case: Any) -> bool:
    """Whether a question is put to this operation for the first time."""
    key = (question, case.operation.label)
    fresh = key not in asked
    asked.add(key)
    return fresh


@schemathesis.check
def media_types_are_looked_at(ctx: Any, response: Any, case: Any) -> None:
    """A body of another type is 415; parameters, capitals and white space make no other type."""
    if response.status_code >= 300 or case.body is NOT_SET or not is_of_operation(case, response) or not first("type", case):
        return
    types = ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", "application/vnd.api+json", "json", "*/*"]
    if "application/merge-patch+json" not in case.operation.definition.raw["requestBody"]["content"]:
        types.append("application/merge-patch+json")
    for name in types:
        answer = again(ctx, case, response, {"Content-Type": name})
        assert answer.status_code == 415, f"{answer.status_code} for {name}"
    for name in ("Application/JSON", "application/json; charset=utf-8", 'application/json ;charset="UTF-8"'):
        answer = again(ctx, case, response, {"Content-Type": name})
        assert answer.status_code != 415, f"415 for {name}"


@schemathesis.check
def head_is_get_without_body(ctx: Any, response: Any, case: Any) -> None:
    if response.request.method != "GET" or response.status_code >= 400 or not first(f"head {response.status_code}", case):
        return
    answer = again(ctx, case, response, {}, "HEAD")
    assert (answer.status_code, answer.content) == (response.status_code, b""), answer
    for name in ("content-type", "etag", "cache-control", "content-length"):
        assert answer.headers.get(name) == (response.headers.get(name) or [None])[0], f"{name}: {answer.headers}"


def again(ctx: Any, case: Any, response: Any, headers: dict[str, str], method: str | None = None) -> Any:
    """The answer to the same bytes with other headers."""
    request = response.request
    return requests.request(
        method or request.method,
        request.url,
        data=request.body,
        headers={**request.headers, **headers},
        timeout=20,
        allow_redirects=False,
    )
