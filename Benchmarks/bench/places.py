"""Where things are."""

from __future__ import annotations

import os
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
ROOT = BENCHMARKS.parent
# Databases, logs and counters; on the disk of the project, because that is what is measured.
WORK = BENCHMARKS / ".build-bench"
LOADS = BENCHMARKS / "loads"
SCHEMA = BENCHMARKS / "schema.sql"
CLUSTER = ROOT / "Tests/PostgreSQLTestSupport/cluster.sh"

GOALS = Path(os.environ.get("GOALS_BINARY") or ROOT / ".build/release/goals")
MICRO = ROOT / ".build/release/goals-micro"
HUMMINGBIRD = BENCHMARKS / ".build/release/hummingbird-peer"
UVICORN = BENCHMARKS / ".venv/bin/uvicorn"
COUNTER = WORK / "count_syncs.so"

# What everybody reads: one run of everything. Other runs have a folder of the same names of their own.
PUBLISHED = BENCHMARKS
LATEST = WORK / "results"
RESULTS, PAGE, CHART = "results.json", "RESULTS.md", "results.svg"
README = ROOT / "README.md"
