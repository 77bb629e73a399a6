"""The same goals on FastAPI and sqlite3, as someone at home in them would write it.

    PEER_DATABASE=… uvicorn peer:app

Handlers are plain functions, so FastAPI runs them in its threads, where waiting for the disk holds up
nobody else. Each thread has a connection of its own; those that write take turns.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

DATABASE = os.environ["PEER_DATABASE"]
EARLIEST = 946_684_800_000
DAY = 86_400_000

app = FastAPI()
writing = threading.Lock()
own = threading.local()


def connection() -> sqlite3.Connection:
    """This thread's connection: WAL, and durable when a transaction ends."""
    if not hasattr(own, "connection"):
        own.connection = sqlite3.connect(DATABASE, isolation_level=None, cached_statements=256)
        own.connection.execute("PRAGMA synchronous = FULL")
    return own.connection


@contextmanager
def transaction(begin: str) -> Iterator[sqlite3.Connection]:
    db = connection()
    db.execute(begin)
    try:
        yield db
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


class Bump(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: UUID
    type: Literal["bump"]
    goal: UUID
    by: int = Field(1, ge=-1_000_000, le=1_000_000)
    at: datetime.datetime | None = None
    note: str | None = Field(None, max_length=500)


class Batch(BaseModel):
    model_config = ConfigDict(extra="forbid")

    edits: list[Bump] = Field(min_length=1, max_length=1000)


def secret(authorization: Annotated[str, Header()] = "") -> bytes:
    scheme, _, token = authorization.partition(" ")
    if scheme != "Bearer":
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    return hashlib.sha256(token.encode()).digest()


Secret = Annotated[bytes, Depends(secret)]


def caller(db: sqlite3.Connection, secret: bytes) -> tuple[int, int, str]:
    row = db.execute(
        "SELECT account.number, account.version, token.name FROM token"
        " JOIN account ON account.number = token.account"
        " WHERE token.secret = ? AND token.revoked_at IS NULL",
        (secret,),
    ).fetchone()
    if row is None:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    return row


@app.get("/v1/goals")
def goals(secret: Secret) -> JSONResponse:
    today = datetime.datetime.now(datetime.UTC).date()
    monday = today - datetime.timedelta(days=today.weekday())
    first = today.replace(day=1)
    next_month = (first + datetime.timedelta(days=31)).replace(day=1)
    periods = {
        "daily": (today, today + datetime.timedelta(days=1)),
        "weekly": (monday, monday + datetime.timedelta(days=7)),
        "monthly": (first, next_month),
    }
    texts = {name: {"start": start.isoformat(), "end": end.isoformat()} for name, (start, end) in periods.items()}
    epoch = datetime.date(1970, 1, 1)
    bounds = [(day - epoch).days for pair in zip(*periods.values(), strict=True) for day in pair]
    with transaction("BEGIN") as db:
        account, version, _ = caller(db, secret)
        rows = db.execute(
            "SELECT id, title, colour, interval, frequency, unit, active, ("
            "  SELECT COALESCE(SUM(count), 0) FROM day WHERE goal = goal.number"
            "    AND day >= CASE interval WHEN 'daily' THEN ?1 WHEN 'weekly' THEN ?2 ELSE ?3 END"
            "    AND day < CASE interval WHEN 'daily' THEN ?4 WHEN 'weekly' THEN ?5 ELSE ?6 END)"
            " FROM goal WHERE account = ?7 ORDER BY position",
            (*bounds, account),
        ).fetchall()
    return JSONResponse({"version": version, "goals": [with_progress(row, texts) for row in rows]})


def with_progress(row: tuple[Any, ...], periods: dict[str, Any]) -> dict[str, Any]:
    id, title, colour, interval, frequency, unit, active, count = row
    return {
        "id": str(UUID(bytes=id)),
        "title": title,
        "colour": colour,
        "interval": interval,
        "frequency": frequency,
        "unit": unit,
        "active": bool(active),
        "progress": count if active else None,
        "completion": count / frequency if active else None,
        "period": periods[interval] if active else None,
    }


@app.post("/v1/edits")
def record(batch: Batch, secret: Secret) -> JSONResponse:
    now = time.time_ns() // 1_000_000
    with writing, transaction("BEGIN IMMEDIATE") as db:
        account, before, device = caller(db, secret)
        version = before
        outcomes: list[dict[str, Any]] = []
        for edit in batch.edits:
            outcome = judge(db, edit, account, version + 1, device, now)
            version += outcome["status"] == "applied"
            outcomes.append(outcome)
        if version != before:
            db.execute("UPDATE account SET version = ? WHERE number = ?", (version, account))
    return JSONResponse({"version": version, "outcomes": outcomes})


def judge(db: sqlite3.Connection, edit: Bump, account: int, version: int, device: str, now: int) -> dict[str, Any]:
    """Records an edit under a version, or says why not."""

    def rejected(code: str) -> dict[str, Any]:
        return {"id": str(edit.id), "status": "rejected", "code": code}

    known = db.execute(
        "SELECT edit.version, goal.id, edit.by, edit.note FROM edit JOIN goal ON goal.number = edit.goal"
        " WHERE edit.account = ? AND edit.id = ?",
        (account, edit.id.bytes),
    ).fetchone()
    if known is not None:
        if known[1:] != (edit.goal.bytes, edit.by, edit.note):
            return rejected("id-conflict")
        return {"id": str(edit.id), "status": "duplicate", "version": known[0]}
    at = now if edit.at is None else int(edit.at.timestamp() * 1000)
    if edit.by == 0:
        return rejected("invalid")
    if at > now + 300_000:
        return rejected("in-future")
    if at < EARLIEST:
        return rejected("too-old")
    goal = db.execute(
        "SELECT number, active FROM goal WHERE account = ? AND id = ?", (account, edit.goal.bytes)
    ).fetchone()
    if goal is None:
        return rejected("unknown-goal")
    if not goal[1]:
        return rejected("inactive-goal")
    day = at // DAY
    if edit.by < 0:
        present = db.execute("SELECT count FROM day WHERE goal = ? AND day = ?", (goal[0], day)).fetchone()
        if (present[0] if present else 0) + edit.by < 0:
            return rejected("below-zero")
    db.execute(
        "INSERT INTO day (goal, day, count) VALUES (?, ?, ?)"
        " ON CONFLICT (goal, day) DO UPDATE SET count = count + excluded.count",
        (goal[0], day, edit.by),
    )
    db.execute(
        "INSERT INTO edit (account, version, id, goal, by, note, at, day, recorded_at, device)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (account, version, edit.id.bytes, goal[0], edit.by, edit.note, at, day, now, device),
    )
    return {"id": str(edit.id), "status": "applied", "version": version}


@app.get("/durability")
def durability() -> JSONResponse:
    """What a connection says of itself; the bench asks before it measures."""
    mode, level = (connection().execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous"))
    return JSONResponse({"journal_mode": mode, "synchronous": level})
