"""A small, strict HTTP/1.1 client over plain sockets.

It reads an answer the way RFC 9112 writes it and refuses everything else, so that a sloppy answer
fails the test that happened to receive it. Every answer remembers the bytes that asked for it:
`Response.shown()` is what a failing test prints.
"""

from __future__ import annotations

import json
import os
import re
import socket
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field
from typing import Any, Self

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5][0-9][0-9]) ([\t\x20-\x7e]*)\Z")
FIELD_LINE = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?)[\t ]*\Z")
CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}\Z")
IMF_DATE = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} "
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT\Z"
)
LOWER_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
UUID_V7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
INTERNALS = re.compile(r"sqlite|\bsql\b|\.swift\b|/tmp/|/home/|/root/|/var/|Fatal error|errno|stack trace|0x[0-9a-f]{8}", re.I)
SHOWN = 3000
# How many times as long as on a quiet machine a wait may last. It costs nothing unless what is waited for never comes.
PATIENCE = float(os.environ.get("PATIENCE", "6"))


class ProtocolError(AssertionError):
    """The server sent bytes that are no HTTP answer, or not the answer HTTP asks for."""


class Closed(Exception):
    """The server closed the connection where an answer was expected."""


def new_id() -> str:
    return str(uuid.uuid4())


def _cut(data: bytes) -> str:
    text = data.decode("utf-8", "backslashreplace")
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}… ({len(data)} bytes)"
    return text


def strict_json(data: bytes | str) -> Any:
    """Parses JSON and refuses repeated names, NaN and infinities."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ProtocolError(f"an object names a field twice: {names}")
        return dict(pairs)

    def refuse(constant: str) -> Any:
        raise ProtocolError(f"JSON has no {constant}")

    text = data.decode("utf-8") if isinstance(data, bytes) else data
    return json.loads(text, object_pairs_hook=once, parse_constant=refuse)


@dataclass
class Response:
    status: int
    reason: str
    fields: list[tuple[str, str]]
    body: bytes
    head: bytes
    method: str = "GET"
    sent: bytes = b""
    interim: list[int] = field(default_factory=list)
    closes: bool = False

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def header(self, name: str) -> str | None:
        values = self.all(name)
        assert len(values) <= 1, f"{name} is there {len(values)} times\n{self.shown()}"
        return values[0] if values else None

    @property
    def etag(self) -> str:
        value = self.header("ETag")
        assert value is not None, f"no ETag\n{self.shown()}"
        assert re.fullmatch(r'"[\x21\x23-\x7e]*"', value), f"no strong ETag: {value}\n{self.shown()}"
        return value

    @property
    def media_type(self) -> str:
        return (self.header("Content-Type") or "").split(";")[0].strip().lower()

    def json(self) -> Any:
        assert self.media_type in ("application/json", "application/problem+json"), self.shown()
        return strict_json(self.body)

    def shown(self) -> str:
        return f"\n--- sent\n{_cut(self.sent)}\n--- received\n{_cut(self.head + self.body)}\n---"

    def expect(self, status: int | tuple[int, ...], code: str | tuple[str, ...] | None = None) -> Response:
        """Asserts the status, and for a problem its code; answers itself."""
        wanted = status if isinstance(status, tuple) else (status,)
        assert self.status in wanted, f"expected {wanted} {code or ''}, got {self.status}{self.shown()}"
        if code is not None:
            codes = code if isinstance(code, tuple) else (code,)
            got = self.json().get("code")
            assert got in codes, f"expected code {codes}, got {got}{self.shown()}"
        return self

    @property
    def pointers(self) -> set[str]:
        """The pointers of an `invalid` problem."""
        return pointers_of(self.json().get("errors"), self.shown())


def pointers_of(errors: Any, shown: str) -> set[str]:
    assert isinstance(errors, list) and errors, f"no errors{shown}"
    for error in errors:
        assert set(error) == {"pointer", "detail"}, f"an error is a pointer and a detail{shown}"
        assert isinstance(error["pointer"], str) and isinstance(error["detail"], str) and error["detail"], shown
        assert error["pointer"] == "" or error["pointer"].startswith("/"), f"no JSON pointer{shown}"
    listed = [error["pointer"] for error in errors]
    return set(listed)


def check(response: Response) -> Response:
    """What holds of every answer, whatever was asked."""
    shown = response.shown()
    date = response.header("Date")
    assert date is not None and IMF_DATE.match(date), f"Date is no IMF-fixdate: {date}{shown}"
    if response.body:
        assert response.header("Content-Type"), f"a body without a Content-Type{shown}"
        assert response.header("X-Content-Type-Options") == "nosniff", f"no nosniff{shown}"
    if response.status >= 400 and response.method != "HEAD":
        check_problem(response)
    return response


def check_problem(response: Response) -> None:
    shown = response.shown()
    assert response.media_type == "application/problem+json", f"an error is a problem{shown}"
    problem = response.json()
    for name, kind in (("type", str), ("title", str), ("status", int), ("detail", str), ("code", str)):
        assert isinstance(problem.get(name), kind), f"a problem has a {name}{shown}"
    assert problem["status"] == response.status, f"status in the body differs{shown}"
    assert problem["type"].endswith(problem["code"]), f"type ends in the code{shown}"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", problem["code"]), f"codes are kebab-case{shown}"
    assert not INTERNALS.search(problem["title"] + " " + problem["detail"]), f"internals leak{shown}"
    if problem["code"] == "invalid" and "errors" in problem:
        pointers_of(problem["errors"], shown)
    if response.status == 401:
        assert (response.header("WWW-Authenticate") or "").startswith("Bearer"), shown
    if response.status == 405:
        assert response.header("Allow") is not None, f"405 without Allow{shown}"
    if response.status in (429, 503):
        assert re.fullmatch(r"[0-9]+", response.header("Retry-After") or ""), f"no Retry-After{shown}"


class Connection:
    """One socket to the server: bytes out, strictly parsed answers in."""

    def __init__(self, address: tuple[str, int] | str, timeout: float = 20 * PATIENCE):
        if isinstance(address, str):
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.settimeout(timeout)
            self.socket.connect(address)
        else:
            self.socket = socket.create_connection(address, timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.ended = False
        self.log = b""

    def send(self, data: bytes) -> None:
        self.log += data
        self.socket.sendall(data)

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _more(self) -> None:
        if self.ended:
            raise Closed(f"the connection ended; sent\n{_cut(self.log)}\nleft over\n{_cut(self.buffer)}")
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError as error:
            self.ended = True
            raise Closed(f"the connection was reset; sent\n{_cut(self.log)}") from error
        except TimeoutError as error:
            raise ProtocolError(f"no (whole) answer in time; sent\n{_cut(self.log)}\nreceived\n{_cut(self.buffer)}") from error
        if not data:
            self.ended = True
            raise Closed(f"the connection ended; sent\n{_cut(self.log)}\nleft over\n{_cut(self.buffer)}")
        self.buffer += data

    def _until(self, mark: bytes) -> bytes:
        while (at := self.buffer.find(mark)) < 0:
            self._more()
        found, self.buffer = self.buffer[:at], self.buffer[at + len(mark) :]
        return found

    def _exactly(self, count: int) -> bytes:
        parts, have = [self.buffer], len(self.buffer)
        self.buffer = b""
        while have < count:
            self._more()
            parts.append(self.buffer)
            have += len(self.buffer)
            self.buffer = b""
        data = b"".join(parts)
        self.buffer = data[count:]
        return data[:count]

    def read_head(self) -> tuple[int, str, list[tuple[str, str]], bytes]:
        raw = self._until(b"\r\n\r\n")
        lines = raw.split(b"\r\n")
        match = STATUS_LINE.match(lines[0])
        if not match:
            raise ProtocolError(f"no status line: {lines[0]!r}; sent\n{_cut(self.log)}")
        fields = []
        for line in lines[1:]:
            parts = FIELD_LINE.match(line)
            if not parts:
                raise ProtocolError(f"no field line: {line!r}; sent\n{_cut(self.log)}")
            fields.append((parts[1].decode(), parts[2].decode()))
        return int(match[1]), match[2].decode(), fields, raw + b"\r\n\r\n"

    def read_response(self, method: str = "GET", sent: bytes | None = None) -> Response:
        interim = []
        while True:
            status, reason, fields, head = self.read_head()
            if status >= 200:
                break
            interim.append(status)
        response = Response(status, reason, fields, b"", head, method, self.log if sent is None else sent, interim)
        connection = ",".join(response.all("Connection")).lower()
        response.closes = "close" in [part.strip() for part in connection.split(",")]
        lengths = response.all("Content-Length")
        codings = response.all("Transfer-Encoding")
        if len(lengths) > 1 or (lengths and codings):
            raise ProtocolError(f"two framings of one answer{response.shown()}")
        if lengths and not re.fullmatch(r"[0-9]+", lengths[0]):
            raise ProtocolError(f"no Content-Length: {lengths[0]}{response.shown()}")
        if status == 204 and (lengths or codings):
            raise ProtocolError(f"204 has neither Content-Length nor Transfer-Encoding{response.shown()}")
        if method == "HEAD" or status in (204, 304):
            return response
        if codings:
            if codings != ["chunked"]:
                raise ProtocolError(f"an unknown coding{response.shown()}")
            response.body = self._chunks()
        elif lengths:
            response.body = self._exactly(int(lengths[0]))
        else:
            raise ProtocolError(f"an answer without framing{response.shown()}")
        return response

    def _chunks(self) -> bytes:
        whole = b""
        while True:
            size = self._until(b"\r\n")
            if not CHUNK_SIZE.match(size):
                raise ProtocolError(f"no chunk size: {size!r}")
            count = int(size, 16)
            if count == 0:
                if self._until(b"\r\n") != b"":
                    raise ProtocolError("a trailer nobody asked for")
                return whole
            whole += self._exactly(count)
            if self._exactly(2) != b"\r\n":
                raise ProtocolError("a chunk does not end in CRLF")

    def expect_end(self) -> None:
        """Asserts that the server says nothing more and closes."""
        try:
            while True:
                self._more()
                if self.buffer:
                    raise ProtocolError(f"more bytes than answers: {self.buffer!r}; sent\n{_cut(self.log)}")
        except Closed as closed:
            if self.buffer:
                raise ProtocolError(f"more bytes than answers: {self.buffer!r}; sent\n{_cut(self.log)}") from closed


def build(
    method: str,
    target: str,
    *,
    host: str = "127.0.0.1",
    token: str | None = None,
    body: Any = None,
    content_type: str | None = "application/json",
    headers: dict[str, str] | None = None,
) -> bytes:
    """The bytes of a request. A body that is not bytes is written as JSON."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    data = b""
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        if content_type is not None:
            lines.append(f"Content-Type: {content_type}")
        lines.append(f"Content-Length: {len(data)}")
    for name, value in (headers or {}).items():
        lines.append(f"{name}: {value}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + data


class Client:
    """Requests with a token on one kept-alive connection."""

    def __init__(self, address: tuple[str, int] | str, token: str | None, timeout: float = 20 * PATIENCE):
        self.address = address
        self.token = token
        self.timeout = timeout
        self.connection: Connection | None = None

    def close(self) -> None:
        if self.connection:
            self.connection.close()
            self.connection = None

    def exchange(self, method: str, data: bytes) -> Response:
        if self.connection is None:
            self.connection = Connection(self.address, self.timeout)
        connection = self.connection
        connection.log = b""
        try:
            connection.send(data)
            response = connection.read_response(method, data)
        except BaseException:
            self.close()
            raise
        if response.closes:
            self.close()
        return check(response)

    def request(
        self,
        method: str,
        target: str,
        body: Any = None,
        *,
        headers: dict[str, str] | None = None,
        content_type: str | None = "application/json",
        token: str | None = "",
    ) -> Response:
        host = self.address if isinstance(self.address, str) else f"{self.address[0]}:{self.address[1]}"
        if isinstance(self.address, str):
            host = "localhost"
        data = build(
            method,
            target,
            host=host,
            token=self.token if token == "" else token,
            body=body,
            content_type=content_type,
            headers=headers,
        )
        return self.exchange(method, data)

    def get(self, target: str, **options: Any) -> Response:
        return self.request("GET", target, **options)

    def head(self, target: str, **options: Any) -> Response:
        return self.request("HEAD", target, **options)

    def post(self, target: str, body: Any = None, **options: Any) -> Response:
        return self.request("POST", target, body, **options)

    def put(self, target: str, body: Any = None, **options: Any) -> Response:
        return self.request("PUT", target, body, **options)

    def patch(self, target: str, body: Any = None, **options: Any) -> Response:
        return self.request("PATCH", target, body, **options)

    def delete(self, target: str, **options: Any) -> Response:
        return self.request("DELETE", target, **options)

    # The requests that most tests begin with.

    def goals(self) -> list[dict[str, Any]]:
        return self.get("/v1/goals").expect(200).json()["goals"]

    def version(self) -> int:
        return self.get("/v1/account").expect(200).json()["version"]

    def goal(self, goal: str) -> dict[str, Any]:
        return self.get(f"/v1/goals/{goal}").expect(200).json()

    def edits(self, *edits: dict[str, Any], **options: Any) -> Response:
        return self.post("/v1/edits", {"edits": list(edits), **options})

    def outcomes(self, *edits: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
        response = self.edits(*edits, **options).expect(200)
        outcomes = response.json()["outcomes"]
        assert len(outcomes) == len(edits), f"an outcome for each edit{response.shown()}"
        return outcomes

    def apply(self, *edits: dict[str, Any], **options: Any) -> list[int]:
        """Sends edits that must all be applied; answers their versions."""
        response = self.edits(*edits, **options).expect(200)
        outcomes = response.json()["outcomes"]
        assert [o["status"] for o in outcomes] == ["applied"] * len(edits), response.shown()
        return [o["version"] for o in outcomes]

    def add_goal(self, active: bool = True, **goal: Any) -> str:
        """Adds a goal (first in the list), turns it on unless told otherwise, and answers its id."""
        goal = {"id": new_id(), "title": "Yoga", **goal}
        edits = [edit("add", goal=goal)]
        if active:
            edits.append(edit("setActivity", activity={goal["id"]: True}))
        self.apply(*edits)
        return goal["id"].lower()

    def log(self) -> list[dict[str, Any]]:
        """The whole log, page by page."""
        edits: list[dict[str, Any]] = []
        target = "/v1/edits?limit=1000"
        while True:
            page = self.get(target).expect(200).json()
            edits += page["edits"]
            if not page["more"]:
                return edits
            target = f"/v1/edits?limit=1000&after={quote(page['cursor'])}"


def quote(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def edit(kind: str, **fields: Any) -> dict[str, Any]:
    """An edit with an id of its own, unless one is given."""
    return {"id": fields.pop("id", None) or new_id(), "type": kind, **fields}


def instant(seconds: float) -> str:
    """An instant as the server prints it, from seconds since 1970 (cut to milliseconds)."""
    milliseconds = int(seconds * 1000 // 1)
    whole, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:03d}Z"


def until(condition: Any, what: str, timeout: float = 10, pause: float = 0.05) -> Any:
    """Waits for a condition to hold and answers its value; fails when it does not in time."""
    timeout *= PATIENCE
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout} s: {what} (last: {value!r})")
        time.sleep(pause)
