"""The types of the page's shell, `goals.d.ts`, say what openapi.yaml says."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from goals_server import ROOT

TYPES = (ROOT / "Sources" / "PageFiles" / "goals.d.ts").read_text()
SCHEMAS: dict[str, Any] = yaml.safe_load((ROOT / "openapi.yaml").read_text())["components"]["schemas"]
EDITS = [one["$ref"].rsplit("/", 1)[1] for one in SCHEMAS["Edit"]["oneOf"]]


def members(name: str) -> dict[str, bool]:
    """The members of an interface, and whether each has to be there."""
    body = re.search(rf"export interface {name}(?: extends \w+)? {{((?:[^{{}}]|{{[^{{}}]*}})*)}}", TYPES)
    assert body, f"there is no {name}"
    inner = re.sub(r"{[^{}]*}", "object", body[1])
    return {found[1]: not found[2] for found in re.finditer(r"(?:^|[;\s])(\w+)(\??):", inner)}


@pytest.mark.parametrize("name", EDITS)
def test_each_edit_has_its_type(name: str) -> None:
    schema = SCHEMAS[name]
    wanted = {member: member in schema.get("required", ()) or member == "type" for member in schema["properties"]}
    assert members(name) == wanted
    assert f'type: "{schema["properties"]["type"]["const"]}"' in TYPES
    assert re.search(rf"export type Edit =[^;]*\b{name}\b", TYPES)


def test_a_history_has_its_type() -> None:
    assert members("History") == dict.fromkeys(SCHEMAS["History"]["required"], True)
    for state in SCHEMAS["HistoryPeriod"]["properties"]["state"]["enum"]:
        assert f'"{state}"' in TYPES
    assert re.search(r'ask\(question: { ask: "history"[^)]*\): Promise<History>', TYPES)
