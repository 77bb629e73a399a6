"""The package and the tarball of `make dist`, in a Debian that has nothing but its base."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Self

from goals_client import PATIENCE, until
from goals_server import ROOT, binary
from one_order import Violation
from rig import Deep, NotHere, Report, control, say

UNIT = "lib/systemd/system/goals.service"
DATABASE = "var/lib/goals/goals.sqlite"
SHELLS = {
    "bash": (". /usr/share/bash-completion/bash_completion; _completion_loader goals; complete -p goals", "_goals goals"),
    "zsh": ("autoload -Uz compinit; compinit -u; print $_comps[goals]", "_goals"),
    "fish": ("complete -C 'goals bu'", "bump"),
}


class Bare:
    """A Debian of the kind of this machine, by debootstrap, in which commands are run."""

    def __init__(self, deep: Deep):
        release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
        if release["ID"] != "debian" or os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise NotHere("Debian, root, and debootstrap (scripts/setup deep installs it)")
        self.folder = deep.new_folder("installed")
        command = ["debootstrap", "--variant=minbase", release["VERSION_CODENAME"], str(self.folder)]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            raise NotHere(f"a mirror of Debian: {(made.stdout + made.stderr).strip().splitlines()[-1]}")
        self.folder.chmod(0o755)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        # The devices are debootstrap's own.
        subprocess.run(["mount", "-t", "proc", "proc", str(self.folder / "proc")], check=True)

    def command(self, *words: str, user: str = "root", **env: str) -> list[str]:
        clean = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb"}
        settings = [f"{name}={value}" for name, value in (clean | env).items()]
        return ["chroot", f"--userspec={user}", str(self.folder), "env", "-i", "-C", "/", *settings, *words]

    def attempt(self, *words: str, **env: str) -> tuple[int, str]:
        done = subprocess.run(self.command(*words, **env), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def run(self, *words: str, **env: str) -> str:
        """What a command prints that has to succeed."""
        code, printed = self.attempt(*words, **env)
        if code:
            raise Violation(f"{' '.join(words)} ended with {code}: {printed.strip()[-1500:]}")
        return printed

    def install(self, *packages: str) -> str:
        return self.run("apt-get", "install", "-y", "--no-install-recommends", *packages, DEBIAN_FRONTEND="noninteractive")

    def remove(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder / "proc")], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class Served:
    """What the unit starts, as its user and with its variables; systemd does not run in such a root."""

    def __init__(self, bare: Bare, unit: str):
        text = (bare.folder / unit).read_text()
        settings = re.findall(r"^Environment=(.*)$", text, re.M)
        settings += [line for line in (bare.folder / "etc/goals.env").read_text().splitlines() if line[:1] not in ("", "#")]
        starts, user = (re.findall(rf"^{name}=(.*)$", text, re.M)[0] for name in ("ExecStart", "User"))
        env = dict(setting.split("=", 1) for setting in settings)
        command = bare.command(*starts.split(), user=f"{user}:{user}", **env)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: list[str] = []
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout or []), daemon=True).start()

    def link(self) -> str:
        """The sign-in link of a first start."""
        found = until(lambda: re.findall(r"http://\S+#token=\S+", "".join(self.lines)), "the server prints its link", 30)
        return found[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        if code := self.process.wait(30 * PATIENCE):
            raise Violation(f"the server ended with {code}: {''.join(self.lines)[-1500:]}")


def found(bare: Bare, prefix: str) -> None:
    """The command, a page for each of its commands, its completions, and units that systemd takes."""
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True).stdout
    if bare.run("goals", "--version") != version or bare.run("which", "goals") != f"{prefix}/bin/goals\n":
        raise Violation("there is no goals command, or another one")
    commands = re.findall(r"^  ([a-z]+) ", bare.run("goals", "--help").split("SUBCOMMANDS")[1], re.M)
    for command in set(commands) - {"help"}:
        if f"GOALS-{command.upper()}(1)" not in bare.run("man", f"goals-{command}", MANWIDTH="100"):
            raise Violation(f"there is no page of goals {command}")
    for shell, (script, answer) in SHELLS.items():
        # fish looks below /usr/local only where this variable says so, as in a desktop's session.
        if answer not in (said := bare.run(shell, "-c", script, XDG_DATA_DIRS="/usr/local/share:/usr/share")):
            raise Violation(f"{shell} does not find the completions: {said}")
    units = [f"{prefix}/{UNIT}".replace("goals.", name) for name in ("goals.", "goals-backup.")]
    if said := bare.run("systemd-analyze", "verify", *units):
        raise Violation(f"systemd does not take a unit: {said}")


def progress(bare: Bare) -> dict[str, int]:
    # Where no server runs, the standard error says that the list is old.
    done = subprocess.run(bare.command("goals", "list", "--json"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise Violation(f"goals list ended with {done.returncode}: {done.stderr}")
    return {goal["title"]: goal["progress"] for goal in json.loads(done.stdout)["goals"]}


def kept(bare: Bare, when: str) -> None:
    if not (bare.folder / DATABASE).exists():
        raise Violation(f"{when} the database is gone")


def package(bare: Bare, file: str, report: Report) -> None:
    code, said = bare.attempt("dpkg", "--install", file)
    control(report, "the package by itself, without its libraries", code != 0 and "libsqlite3-0" in said, "dpkg refused it")
    bare.run("dpkg", "--purge", "goals")
    bare.run("apt-get", "update")
    bare.install(file)
    bare.install("man-db", "bash-completion", "zsh", "fish", "systemd")
    found(bare, "/usr")
    (bare.folder / "etc/goals.env").write_text("GOALS_LISTEN=127.0.0.1:0\n")
    with Served(bare, f"usr/{UNIT}") as server:
        bare.run("goals", "login", server.link())
        bare.run("goals", "add", "Yoga", "--times", "5")
        if "1 of 5" not in bare.run("goals", "bump", "yoga") or progress(bare) != {"Yoga": 1}:
            raise Violation("goals bump does not count")
        if "ready" not in bare.run("goals", "health", server.link().split("/#")[0]):
            raise Violation("goals health says no")
        server.stop()
    if bare.run("stat", "--format=%U %a", "/var/lib/goals", "/etc/goals.env") != "goals 700\nroot 640\n":
        raise Violation("/var/lib/goals or /etc/goals.env is open to others")


def life(bare: Bare, file: str) -> None:
    """Removed, installed again, and purged: what was counted stays."""
    bare.run("apt-get", "remove", "-y", "goals")
    kept(bare, "after remove")
    if (bare.folder / "usr/bin/goals").exists():
        raise Violation("the package is removed, and goals is there")
    bare.install(file)
    listed = bare.run("goals", "goal", "list", "me", "--database", f"/{DATABASE}")
    if "Yoga" not in listed or "127.0.0.1:0" not in (bare.folder / "etc/goals.env").read_text():
        raise Violation(f"after remove and install the goals or the settings are others: {listed}")
    bare.run("systemctl", "enable", "goals.service", "goals-backup.timer")
    enabled = [*(bare.folder / "etc/systemd/system").glob("*.wants/goals*")]
    said = bare.run("apt-get", "purge", "-y", "goals")
    kept(bare, "after purge")
    if len(enabled) != 2 or any(link.is_symlink() for link in enabled):
        raise Violation(f"the units are not enabled, or are so without the package: {enabled}")
    if "/var/lib/goals is kept" not in said or (bare.folder / "etc/goals.env").exists():
        raise Violation(f"purge does not say what it keeps, or keeps the settings: {said[-500:]}")


def run(deep: Deep) -> Report:
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True).stdout.strip()
    made = [*ROOT.glob(f"dist/goals_{version}_*.deb"), *ROOT.glob(f"dist/goals-{version}-linux-*.tar.gz")]
    if len(made) != 2:
        raise NotHere("one package and one tarball in dist (make dist)")
    report, bare = Report(""), Bare(deep)
    try:
        for file in made:
            shutil.copy(file, bare.folder)
        package(bare, f"/{made[0].name}", report)
        say("the package is installed, serves and counts")
        life(bare, f"/{made[0].name}")
        say("what was counted outlives it")
        bare.run("tar", "--extract", "--file", f"/{made[1].name}", "--strip-components=1", "--no-same-owner", "-C", "/usr/local")
        found(bare, "/usr/local")
        if progress(bare) != {"Yoga": 1}:
            raise Violation("the client of the tarball has lost what was counted")
    finally:
        bare.remove()
    report.tried = "a package and a tarball in a bare Debian: command, manual pages, completions, units; what was counted outlives a purge"
    return report
