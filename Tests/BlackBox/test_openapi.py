"""The served contract, `/openapi.yaml`."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from goals_client import Client
from goals_server import ROOT

OPERATIONS = [
    ("get", "/v1/goals"),
    ("post", "/v1/goals"),
    ("get", "/v1/goals/{id}"),
    ("put", "/v1/goals/{id}"),
    ("patch", "/v1/goals/{id}"),
    ("delete", "/v1/goals/{id}"),
    ("post", "/v1/goals/{id}/bump"),
    ("post", "/v1/goals/{id}/skip"),
    ("post", "/v1/goals/{id}/move"),
    ("get", "/v1/goals/{id}/history"),
    ("get", "/v1/goals/{id}/history.svg"),
    ("put", "/v1/activity"),
    ("post", "/v1/edits"),
    ("get", "/v1/edits"),
    ("get", "/v1/edits/{id}"),
    ("post", "/v1/edits/{id}/undo"),
    ("get", "/v1/account"),
    ("patch", "/v1/account"),
    ("get", "/v1/tokens"),
    ("post", "/v1/tokens"),
    ("delete", "/v1/tokens/{id}"),
    ("get", "/"),
    ("get", "/healthz"),
    ("get", "/readyz"),
    ("get", "/openapi.yaml"),
]


@pytest.fixture
def contract(anyone: Client) -> dict[str, Any]:
    response = anyone.get("/openapi.yaml").expect(200)
    parsed = yaml.safe_load(response.body)
    assert isinstance(parsed, dict), response.shown()
    return parsed


def test_is_served_as_it_is_in_the_repository(anyone: Client) -> None:
    assert anyone.get("/openapi.yaml").expect(200).body == (ROOT / "openapi.yaml").read_bytes()


def test_is_valid_openapi_3_1(contract: dict[str, Any]) -> None:
    assert contract["openapi"].startswith("3.1."), contract["openapi"]
    errors = [f"{'/'.join(map(str, error.path))}: {error.message}" for error in OpenAPIV31SpecValidator(contract).iter_errors()]
    assert errors == []


def without_names(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


@pytest.mark.parametrize("method, path", OPERATIONS, ids=lambda value: value)
def test_describes_every_operation(contract: dict[str, Any], method: str, path: str) -> None:
    paths = {without_names(name): item for name, item in contract["paths"].items()}
    operation = paths.get(without_names(path), {}).get(method)
    assert operation, f"{method} {path} is not described"
    assert operation.get("operationId") and operation.get("responses"), operation


def test_names_each_operation_once(contract: dict[str, Any]) -> None:
    methods = {"get", "put", "post", "delete", "patch", "head", "options"}
    ids = [
        operation.get("operationId")
        for item in contract["paths"].values()
        for method, operation in item.items()
        if method in methods
    ]
    assert None not in ids and len(set(ids)) == len(ids), ids
