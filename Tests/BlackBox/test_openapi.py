"""The served contract, `/openapi.yaml`."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from goals_client import Client, new_id

METHODS = {"get", "put", "post", "delete", "patch", "head", "options", "trace"}


@pytest.fixture
def contract(anyone: Client) -> dict[str, Any]:
    response = anyone.get("/openapi.yaml").expect(200)
    parsed = yaml.safe_load(response.body)
    assert isinstance(parsed, dict), response.shown()
    return parsed


def test_is_valid_openapi_3_1(contract: dict[str, Any]) -> None:
    assert contract["openapi"].startswith("3.1."), contract["openapi"]
    errors = [f"{'/'.join(map(str, error.path))}: {error.message}" for error in OpenAPIV31SpecValidator(contract).iter_errors()]
    assert errors == []


def test_describes_every_operation_that_is_served(contract: dict[str, Any], anyone: Client) -> None:
    """A server says itself which methods a path knows."""
    assert contract["paths"]
    for path, item in contract["paths"].items():
        response = anyone.request("OPTIONS", path.replace("{id}", new_id()).replace("{name}", "UTC")).expect(204)
        served = {method.strip().lower() for method in (response.header("Allow") or "").split(",")}
        described = METHODS & set(item)
        # HEAD works wherever GET does, and OPTIONS everywhere: they are not described one by one.
        assert served - {"head", "options"} == described, f"{path}: {response.shown()}"
        for method in described:
            assert item[method].get("responses"), f"{method} {path}"


def test_names_each_operation_once(contract: dict[str, Any]) -> None:
    ids = [
        operation.get("operationId")
        for item in contract["paths"].values()
        for method, operation in item.items()
        if method in METHODS
    ]
    assert None not in ids and len(set(ids)) == len(ids), ids
