"""How tables and figures are written."""

from __future__ import annotations

from collections.abc import Iterable

from running import Json


def table(title: str, header: list[str], rows: Iterable[list[str]], runs: str = "") -> str:
    rows = list(rows)
    if not rows:
        return ""
    lines = [
        f"| {' | '.join(header)} |",
        f"| {' | '.join(['---', *['---:'] * (len(header) - 1)])} |",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    lines += ["", f"{capitalized(runs)}."] if runs else []
    return (f"{title}\n\n" if title else "") + "\n".join(lines) + "\n"


def number(value: float) -> str:
    """Three digits that count; all of what is before the point."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:,.{digits}f}"


def ranged(spread: Json, scale: float = 1) -> str:
    low, middle, high = (number(spread[name] * scale) for name in ("low", "median", "high"))
    return middle if low == high else f"{middle} ({low} to {high})"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
