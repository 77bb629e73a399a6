"""The two databases of `deploy/many-servers`, by its scripts, with Debian's PostgreSQL in the place of the image's."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import Client, until
from goals_server import UNLIMITED, free_port, goals
from shared_server import SharedServer
from test_deploy_many import MANY, replaced
from tier import THOROUGH

pytestmark = THOROUGH

# What the image's own entry point does with an empty folder, as far as it matters here.
ENTRYPOINT = """#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 --no-sync
  printf '%s\\n' "unix_socket_directories = '$SOCKETS'" 'max_wal_size = 64MB' >> "$PGDATA/postgresql.conf"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl start --wait --options "-c listen_addresses="
  FOLDER/roles.sh
  pg_ctl stop --wait
fi
exec "$@"
"""


class Database:
    """A container of the service `db1` or `db2`."""

    def __init__(self, folder: Path, name: str):
        self.folder, self.name, self.port = folder, name, free_port()
        self.data, self.sockets, self.programs = (folder / name / part for part in ("data", "sockets", "bin"))
        self.programs.mkdir(parents=True)
        for path in (self.data, self.sockets):
            path.mkdir(mode=0o700)
            shutil.chown(path, "postgres", "postgres")
        self.program("hostname", f"#!/bin/sh\necho {name}\n")
        self.program("docker-entrypoint.sh", ENTRYPOINT.replace("FOLDER", str(folder)))
        self.process: subprocess.Popen[bytes] | None = None

    def program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def start(self, first: Database) -> None:
        script = replaced(
            (MANY / "db.sh").read_text(),
            ("host=$FIRST", f"host=localhost port={first.port}"),
            ("/run/secrets", f"{self.folder}/secrets"),
            ("--checkpoint=fast", "--checkpoint=fast --no-sync"),
        )
        (self.folder / self.name / "db.sh").write_text(script)
        (installed,) = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
        environment = {
            "PATH": f"{self.programs}:{installed}:/usr/bin:/bin", "PGDATA": str(self.data), "PGPORT": str(self.port),
            "PGHOST": str(self.sockets), "SOCKETS": str(self.sockets), "FIRST": first.name,
            "POSTGRES_PASSWORD_FILE": f"{self.folder}/secrets/superuser",
        }
        with (self.folder / self.name / "log").open("ab") as log:
            self.process = subprocess.Popen(
                ["sh", self.folder / self.name / "db.sh"], cwd=self.folder, env=environment, stdout=log, stderr=log,
                user="postgres", group="postgres", extra_groups=[],
            )
        until(lambda: self.sql("SELECT 1") == "1", "it takes connections", 60)

    def sql(self, statement: str) -> str:
        assert self.process is not None and self.process.poll() is None, (self.folder / self.name / "log").read_text()
        place = ["-h", "localhost", "-p", str(self.port), "-U", "postgres", "-d", "postgres"]
        password = (self.folder / "secrets/superuser").read_text().strip()
        environment = {**os.environ, "PGPASSWORD": password}
        asked = subprocess.run(["psql", *place, "-qAtXc", statement], capture_output=True, text=True, env=environment)
        return asked.stdout.strip()

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()

    def has_a_copy_that_was_cut_off(self) -> None:
        """While it was copied, and while what had been copied was moved."""
        for path in ("copy/PG_VERSION", "copy/base/1/1255", "base/1/1249", "backup_label"):
            (self.data / path).parent.mkdir(parents=True, exist_ok=True)
            (self.data / path).write_text("15\n")
        subprocess.run(["chown", "-R", "postgres:postgres", self.data], check=True)

    def lose_the_disk(self) -> None:
        shutil.rmtree(self.data)
        self.data.mkdir(mode=0o700)
        shutil.chown(self.data, "postgres", "postgres")


@pytest.fixture
def folder() -> Iterator[Path]:
    """With the passwords. PostgreSQL's user has to come in."""
    if os.geteuid() != 0:
        pytest.skip("only root gives files to other users")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    secrets = replaced((MANY / "secrets.sh").read_text(), ("999:999", "postgres:postgres"), (":5432:", ":*:"))
    (folder / "secrets.sh").write_text(secrets)
    (folder / "roles.sh").write_text(replaced((MANY / "roles.sh").read_text(), ("/run/secrets", f"{folder}/secrets")))
    (folder / "roles.sh").chmod(0o755)
    subprocess.run(["sh", folder / "secrets.sh"], check=True)
    (folder / "secrets").chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def databases(folder: Path) -> Iterator[tuple[Database, Database]]:
    pair = Database(folder, "db1"), Database(folder, "db2")
    yield pair
    for database in pair:
        database.kill()


def test_each_password_is_read_by_its_user_alone(folder: Path) -> None:
    made = {path.name: path.stat() for path in (folder / "secrets").iterdir()}
    assert made.keys() == {"goals.pgpass", "roles.pgpass", "superuser"}
    assert {stat.S_IMODE(file.st_mode) for file in made.values()} == {0o600}
    assert made["goals.pgpass"].st_uid == 10001
    again = subprocess.run(["sh", folder / "secrets.sh"], capture_output=True)
    assert again.returncode != 0, "passwords that there are stay"


def follows(primary: Database, standby: Database) -> bool:
    return primary.sql("SELECT application_name, sync_state FROM pg_stat_replication") == f"{standby.name}|quorum"


def test_one_follows_the_other_and_may_take_its_place(folder: Path, databases: tuple[Database, Database]) -> None:
    db1, db2 = databases
    db1.start(first=db1)
    db2.has_a_copy_that_was_cut_off()
    db2.start(first=db1)
    until(lambda: follows(db1, db2), "db2 follows db1")
    url = f"postgresql://goals@localhost:{db1.port},localhost:{db2.port}/goals?passfile={folder}/secrets/goals.pgpass"
    goals("migrate", url).expect(0)
    server = SharedServer(folder, *UNLIMITED, url=url)
    server.token = server.account("me")["token"]
    with server.start():
        assert not [line for line in server.err if "warning" in line], server.shown()
        me = Client(server.address, server.token, 60)
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump").expect(200)

        db1.kill()
        me.post(f"/v1/goals/{goal}/bump").expect(503, "store-unavailable")
        assert db2.sql("SELECT pg_promote()") == "t"
        # It wants its edits on two disks, too, and there is one.
        me.post(f"/v1/goals/{goal}/bump").expect(503, "store-unavailable")
        assert "SyncRep" not in db2.sql("SELECT wait_event FROM pg_stat_activity WHERE application_name = 'goals'").split("\n")

        db1.lose_the_disk()
        db1.start(first=db2)
        until(lambda: follows(db2, db1), "db1 follows db2")
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        # The second and the third were refused at once.
        assert me.goal(goal)["progress"] == 2
