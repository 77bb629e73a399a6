"""What a run of the tests holds: the fast tier of `make test`, or with GOALS_TEST_ALL=1 everything, as `make test-all`."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

IS_ALL = bool(os.environ.get("GOALS_TEST_ALL"))

# Marks a test, or a row of its parameters, that only `make test-all` runs.
THOROUGH = pytest.mark.thorough


def thoroughly(*values: object) -> Any:
    """A row of a test's parameters that only `make test-all` runs."""
    return pytest.param(*values, marks=THOROUGH)


# Where the data lie: the tests of a module that says `STORES = EVERY_STORE` are run once for each.
EVERY_STORE = ("sqlite", thoroughly("postgresql"), thoroughly("three servers"))


def seed() -> int:
    """The seed of a random test: that of GOALS_TEST_SEED, else always the same in the fast tier, and a new one each
    time in the other. It is printed, so that a failure says it."""
    chosen = int(os.environ.get("GOALS_TEST_SEED") or (random.SystemRandom().randrange(2**32) if IS_ALL else 1))
    print(f"GOALS_TEST_SEED={chosen}")
    return chosen
