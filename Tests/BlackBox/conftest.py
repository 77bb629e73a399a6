"""Each test module gets a server of its own on a fresh folder; a test that wants one, an account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import goals_server
from goals_client import Client
from goals_server import UNLIMITED, Server
from page import Page
from shared_server import SharedServer

settings.register_profile(
    "goals",
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("goals")


def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        return
    try:
        goals_server.binary()
    except RuntimeError as error:
        pytest.exit(str(error), returncode=3)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The tests of a module that says `STORES = EVERY_STORE` are run once for each kind."""
    stores = getattr(metafunc.module, "STORES", None)
    if stores and "server" in metafunc.fixturenames:
        metafunc.parametrize("server", stores, indirect=True, scope="module")


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The module's server. A module's own flags are in its `FLAGS`."""
    flags = (*UNLIMITED, *getattr(request.module, "FLAGS", ()))
    folder = tmp_path_factory.mktemp("s")
    match getattr(request, "param", "sqlite"):
        case "sqlite":
            server = Server(folder, *flags).start()
        case "postgresql":
            server = SharedServer(folder, *flags).start()
        case "three servers":
            server = SharedServer(folder, *flags, servers=3).start()
    yield server
    died = not server.alive()
    shown = server.shown()
    server.kill()
    assert not died, f"the server died during the module's tests{shown}"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers with flags of the test's own."""
    servers: list[Server] = []

    def start(*flags: str, env: dict[str, str] | None = None) -> Server:
        folder = tmp_path / str(len(servers))
        folder.mkdir()
        servers.append(Server(folder, *flags, env=env).start())
        return servers[-1]

    yield start
    for server in servers:
        code = server.process and server.process.poll()
        server.kill()
        assert code in (None, 0), f"the server died{server.shown()}"


@pytest.fixture
def me(server: Server) -> Iterator[Client]:
    """A client of a fresh account on the module's server."""
    client = server.new_client()
    yield client
    client.close()


@pytest.fixture
def other(server: Server) -> Iterator[Client]:
    """A client of a second fresh account on the module's server."""
    client = server.new_client()
    yield client
    client.close()


@pytest.fixture
def anyone(server: Server) -> Iterator[Client]:
    """A client without a token."""
    client = server.client(None)
    yield client
    client.close()


@pytest.fixture
def today() -> Iterator[None]:
    """For tests that speak of the running day: not across midnight (UTC)."""
    goals_server.away_from_midnight()
    yield


@pytest.fixture
def page() -> Iterator[Page]:
    """A phone's browser that was never here. It must find nothing to complain about."""
    page = Page(390, 844)
    yield page
    complaints = page.complaints()
    page.close()
    assert complaints == []
