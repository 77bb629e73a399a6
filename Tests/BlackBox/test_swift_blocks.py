"""The Swift that README and docs show compiles beside what an app imports, and for a view on the main actor."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from goals_server import ROOT, binary

MODULES = ROOT / ".build" / "debug" / "Modules"
IMPORTS = "import ChangePropagation\nimport Foundation\nimport GoalsClient\nimport GoalsCore\nimport Observation\n"
# Around a block that stands for a part of a program.
AROUND = {
    "README.md": """
@MainActor @Observable final class GoalsView {
  private(set) var goals: Goals?
  private(set) var calendar: Foundation.Calendar = .current
  func show(_ goals: Goals) { self.goals = goals }
}
@MainActor func example(folder: String, server: URL, token: String, view: GoalsView, yoga: Goal.ID) throws {
  %s
}
""",
    "docs/change-propagation.md": """
struct Deposit {}
struct Withdrawal {}
struct Movement { init(_ either: Either<Deposit, Withdrawal>) {} ; func transform(_ account: Account) -> Account { account } }
struct Account {}
func example(deposits: Changes<Deposit>, withdrawals: Changes<Withdrawal>) {
  %s
  _ = account
}
""",
}
FENCE = re.compile(r"^```swift\n(.*?)^```", re.M | re.S)


def blocks() -> list[tuple[str, str]]:
    """Those of the habit app are built in test_habit_app.py, and those of decisions show shapes."""
    return [(name, block) for name in AROUND for block in FENCE.findall((ROOT / name).read_text())]


@pytest.mark.parametrize(("name", "block"), blocks(), ids=lambda value: value if "/" in value or value.endswith(".md") else "")
def test_a_block_compiles_in_an_app(tmp_path: Path, name: str, block: str) -> None:
    assert binary()
    file = tmp_path / "main.swift"
    file.write_text(block if block.startswith("import ") else IMPORTS + AROUND[name] % block)
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", str(MODULES)]
    command += ["-Xcc", f"-fmodule-map-file={ROOT}/Sources/CCurl/module.modulemap", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
