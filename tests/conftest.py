"""What all tests share: golden files, and a PostgreSQL."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import postgres

Golden = Callable[[Path, str], None]

# A shell that starts a command in the background lets it ignore Ctrl-C, and so would every process that the tests
# start: those about Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write the golden files instead of comparing them")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file that holds it, to the byte."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        assert path.is_file(), f"there is no {path.name}: run pytest --update-goldens and look at it"
        assert path.read_bytes().decode("utf-8") == text

    return compare


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL that this run has started."""
    with postgres.server(postgres.shared_folder(tmp_path_factory.getbasetemp())) as found:
        yield found.get_uri()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a ledger in PostgreSQL that has never been opened."""
    return postgres.fresh(postgres_server)
