"""Each test module gets a server of its own on a fresh folder; a test that wants one, an account."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

import goals_server
import tier
from browser import Browser, end_chromium
from goals_client import Client
from goals_server import ROOT, UNLIMITED, Server
from page import Page
from shared_server import SharedServer

# What the pages of failed tests showed.
FAILED = ROOT / ".build" / "failed-pages"

def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        return
    try:
        goals_server.binary()
    except RuntimeError as error:
        pytest.exit(str(error), returncode=3)


def pytest_sessionfinish() -> None:
    end_chromium()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out of the fast tier what `make test-all` runs."""
    if tier.IS_ALL:
        return
    later = [item for item in items if item.get_closest_marker(tier.THOROUGH.name)]
    if later:
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in set(later)]


def utc_day() -> int:
    return int(time.time() // 86400)


def pytest_runtest_protocol(item: pytest.Function, nextitem: pytest.Item | None) -> bool:
    """Many tests speak of today. One that fails after midnight (UTC) came over its module is judged by a run that
    begins anew on the new day, as nothing else would tell what it shows; so no test waits for midnight to be over."""
    begun = item.module.__dict__.setdefault("_begun_on_day", utc_day())
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports) and utc_day() != begun:
        item.session._setupstate.teardown_exact(None)
        item._initrequest()
        item.module._begun_on_day = utc_day()
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails tells what its pages showed and what its servers said."""
    report = yield
    if report.failed:
        for number, browser in enumerate(list(Browser.opened)):
            folder = FAILED / re.sub(r"\W+", "-", item.nodeid) / f"{report.when}-{number}"
            try:
                said = browser.record(folder)
            except Exception as error:  # noqa: BLE001 - the page may be why it failed
                said = f"nothing can be seen of it: {error}"
            report.sections.append((f"page {number}", said))
        report.sections += [("server", server.shown()) for server in Server.running]
    return report


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
def open_page() -> Iterator[Callable[..., Page]]:
    """Opens browsers that were never here, by default a phone's. Each must find nothing to complain about."""
    pages: list[Page] = []

    def open_page(width: int = 390, height: int = 844) -> Page:
        pages.append(Page(width, height))
        return pages[-1]

    yield open_page
    complaints = [page.complaints() for page in pages]
    for page in pages:
        page.close()
    assert complaints == [[] for _ in pages]


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A phone's browser that was never here."""
    return open_page()
