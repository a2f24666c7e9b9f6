"""A `postgresql://USER@HOST/DATABASE` URL to a ledger in a schema of that database.

`?schema=NAME` names the schema; it is made where it is missing. Without, it is the first on the connection's search
path. `?timeout=SECONDS` (60) is how long a call waits for a lock or a connection, `?statement_timeout=SECONDS` (300)
how long one statement may take, and how long a client that says nothing may hold what it has locked, `?pool=N` (8) how
many connections a process has at most. All else in the URL is the driver's.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, LiteralString
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from newel.runtime.errors import LedgerUnavailable, WrongProcess

try:
    import psycopg
    import psycopg_pool
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import TransactionStatus
except ImportError as missing:
    raise LedgerUnavailable("a PostgreSQL ledger needs the extra of that name: pip install 'newel[postgres]'") from (
        missing
    )

from newel.runtime.ledgers.postgres_errors import refuse
from newel.runtime.ledgers.postgres_schema import Connection, prepare
from newel.runtime.ledgers.postgres_transaction import Joined, PostgresTransaction, joined

_CONNECT_TIMEOUT = 10
_LISTEN_AGAIN = 0.05
"""How long, in seconds, to wait before asking again for a server that does not answer."""
_CLOCKS = 1.0
"""How far, in seconds, the two clocks may drift apart while one answer is awaited."""
_CLEANING: tuple[LiteralString, ...] = (
    "CLOSE ALL",
    "SET SESSION AUTHORIZATION DEFAULT",
    "RESET ALL",
    "UNLISTEN *",
    "SELECT pg_advisory_unlock_all()",
    "DISCARD TEMP",
    "DISCARD SEQUENCES",
)
"""What DISCARD ALL does but for the prepared statements, which the driver counts on."""
_STATUS = """
    SELECT CASE WHEN %s::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'aborted'
        ELSE pg_xact_status(%s::xid8) END,
        checkpoint_time > clock_timestamp() - make_interval(secs => %s) FROM pg_control_checkpoint()
"""
"""A server that has crashed gives the number of a transaction it has lost to another, whose commit is not ours. A
recovery ends with a checkpoint, so after one since the transaction began the number proves nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a URL asks for beside the connection; times in seconds."""

    schema: str | None = None
    timeout: float = 60.0
    statement_timeout: float = 300.0
    pool: int = 8


class PostgresLedger:
    """A ledger in a PostgreSQL schema. Connections are its own; each transaction has one to itself."""

    def __init__(self, conninfo: str, options: Options, *, migrate: bool) -> None:
        self._conninfo, self._options = conninfo, options
        self._process = os.getpid()
        self.commits = 0
        """How many write transactions this object has committed."""
        with self._connect() as connection:
            self._uuid = prepare(connection, options.schema, migrate)
        self._pool: psycopg_pool.ConnectionPool[Connection] = psycopg_pool.ConnectionPool(
            conninfo,
            kwargs=_ours(conninfo),
            min_size=0,
            max_size=options.pool,
            configure=self._configure,
            name=f"newel-{self._uuid}",
            open=True,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._uuid}>"

    @property
    def uuid(self) -> str:
        """The ledger's identity."""
        return self._uuid

    def transaction(self) -> PostgresTransaction:
        """A write transaction."""
        return PostgresTransaction(self, writes=True)  # pyright: ignore[reportArgumentType] - the same class, by the path of its link

    def read(self) -> PostgresTransaction | Joined:
        """A consistent view; the open transaction itself where this thread has one."""
        outer = joined(self)  # pyright: ignore[reportArgumentType] - the same class, by the path of its link
        if outer is not None:
            return Joined(outer)
        return PostgresTransaction(self, writes=False)  # pyright: ignore[reportArgumentType] - the same class, by the path of its link

    def close(self) -> None:
        """Close every connection that is not in use; one in use is closed when its transaction ends."""
        if self.is_own:
            self._pool.close()

    # ---------------------------------------------------------------- what a transaction takes and gives back

    @property
    def is_own(self) -> bool:
        """Whether this process has made it: in a child its connections are the parent's, with what is open on them."""
        return self._process == os.getpid()

    def own_process(self) -> None:
        """Raises `WrongProcess` where it is another's."""
        if not self.is_own:
            raise WrongProcess

    def check_out(self, begin: LiteralString) -> Connection:
        """A connection on which a transaction has begun; one that the server has closed meanwhile is passed over."""
        self.own_process()
        while True:
            connection = self._take()
            try:
                connection.execute(begin)
            except BaseException as error:
                lost = connection.broken
                self.check_in(connection)
                if isinstance(error, psycopg.Error) and not lost:
                    refuse(error)
                if not isinstance(error, psycopg.Error):
                    raise
            else:
                return connection

    def _take(self) -> Connection:
        try:
            return self._pool.getconn(self._options.timeout)
        except psycopg_pool.PoolClosed:
            raise LedgerUnavailable("the ledger is closed") from None
        except psycopg_pool.PoolTimeout as error:
            waited = f"{self._options.timeout:g} seconds"
            raise LedgerUnavailable(f"no connection to the ledger's database in {waited}") from error

    def check_in(self, connection: Connection, *, stained: bool = False) -> None:
        """Take a connection back; what is open on it is rolled back, and what a session keeps is cleared."""
        if not self.is_own:
            return
        with suppress(psycopg.Error):  # then it is broken, and the pool throws it away
            if connection.pgconn.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
            if stained:
                self._clean(connection)
        self._pool.putconn(connection)

    def _clean(self, connection: Connection) -> None:
        """As good as a new one. Broken where that fails."""
        try:
            for statement in _CLEANING:
                connection.execute(statement)
            self._configure(connection)
        except BaseException:
            connection.close()
            raise

    def settle(self, xid: str, began: float, error: psycopg.Error) -> None:
        """Find out what became of a commit whose answer was lost. Returns if it took effect.

        `began` is when its transaction did, by this process's monotonic clock.
        """
        status = self._status_of(xid, began)
        if status == "aborted":
            refuse(error)
        if status != "committed":
            raise LedgerUnavailable(
                "the connection was lost in the moment of the commit; whether it took effect is not known"
            ) from error

    def _status_of(self, xid: str, began: float) -> str | None:
        """What the database says of a transaction as soon as it can say; None where it does not in time."""
        deadline = time.monotonic() + self._options.timeout
        while time.monotonic() < deadline:
            with suppress(LedgerUnavailable, psycopg.Error), self._connect() as connection:
                elapsed = time.monotonic() - began + _CLOCKS
                ((status, doubtful),) = connection.execute(_STATUS, (xid, xid, elapsed)).fetchall()
                if status != "in progress":
                    return None if doubtful and status == "committed" else str(status)
            time.sleep(_LISTEN_AGAIN)
        return None

    def _connect(self) -> Connection:
        try:
            connection: Connection = psycopg.connect(self._conninfo, **_ours(self._conninfo))
        except psycopg.OperationalError as error:
            raise LedgerUnavailable(f"the ledger's database cannot be reached: {error}") from error
        except psycopg.Error:  # its message repeats parts of the URL
            raise LedgerUnavailable(_MALFORMED) from None
        try:
            self._configure(connection)
        except BaseException as error:
            connection.close()
            if isinstance(error, psycopg.Error):
                refuse(error)
            raise
        return connection

    def _configure(self, connection: Connection) -> None:
        options = self._options
        longest = f"{options.statement_timeout * 1000:.0f}"  # milliseconds
        settings = {
            "lock_timeout": f"{options.timeout * 1000:.0f}",
            "statement_timeout": longest,
            "idle_in_transaction_session_timeout": longest,
        }
        if options.schema is not None:
            settings["search_path"] = f"{_quoted(options.schema)}, public"
        for name, value in settings.items():
            connection.execute("SELECT set_config(%s, %s, false)", (name, value))


def _ours(conninfo: str) -> dict[str, Any]:
    """What a connection is made with beside what the URL says. Raises the driver's error for a malformed one."""
    # Whatever the database, the role or the URL has set: in another encoding the driver gives bytes, or refuses texts.
    mine: dict[str, Any] = {"autocommit": True, "fallback_application_name": "newel", "client_encoding": "UTF8"}
    if "connect_timeout" not in conninfo_to_dict(conninfo):
        mine["connect_timeout"] = _CONNECT_TIMEOUT
    return mine


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_MALFORMED = (
    "a PostgreSQL ledger's URL is postgresql://USER@HOST/DATABASE, with everything in it percent-encoded that is no "
    "letter or digit; of ours it takes ?schema=NAME, timeout=SECONDS, statement_timeout=SECONDS and pool=NUMBER"
)


_NUMBERS = {"timeout": float, "statement_timeout": float, "pool": int}


def open_postgres(url: str, migrate: bool) -> PostgresLedger:
    """The ledger behind a `postgresql://` URL. Raises `LedgerUnavailable` for a malformed one."""
    conninfo, options = _parsed(url)
    return PostgresLedger(conninfo, options, migrate=migrate)


def _parsed(url: str) -> tuple[str, Options]:
    """The driver's part of a URL, and ours. No error repeats any of it: it may hold a password."""
    try:
        url.encode()  # else the driver does, and its error holds the whole
        parts = urlsplit(url)
    except ValueError:
        raise LedgerUnavailable(_MALFORMED) from None
    theirs, ours = [], {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name in _NUMBERS and re.fullmatch(r"\d{1,9}(\.\d+)?", value) and float(value) > 0:
            ours[name] = _NUMBERS[name](value)
        elif name == "schema" and value:
            ours[name] = value
        elif name in Options.__slots__:
            raise LedgerUnavailable(_MALFORMED)
        else:
            theirs.append((name, value))
    # A password with such a sign in it would be taken for the host, and the host stands in the driver's messages; what
    # is behind a NUL the driver passes over.
    if parts.netloc.count("@") > 1 or "@" in parts.path or parts.fragment or "\0" in url:
        raise LedgerUnavailable(_MALFORMED)
    conninfo = urlunsplit(parts._replace(query=urlencode(theirs, quote_via=quote)))
    try:
        conninfo_to_dict(conninfo)
    except (psycopg.Error, UnicodeError):
        raise LedgerUnavailable(_MALFORMED) from None
    return conninfo, Options(**ours)
