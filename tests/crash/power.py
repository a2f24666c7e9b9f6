"""R7: a database as the disk may hold it after the power has failed, made from what a ledger has written.

SQLite syncs its log before a commit returns (`synchronous=FULL`), and the log before the database when it carries pages
over. So a failing power leaves some beginning of the log that holds every acknowledged commit, with anything behind it;
or, while pages are carried over, a whole log beside a database of which any page is old, new or torn.
"""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from newel.runtime.errors import NewelError
from tests.crash.hosting import Host, prepare
from tests.crash.whole import wrong

HEADER, FRAME_HEADER = 32, 24
TASKS = 5


@dataclass
class Figures:
    """What many images have shown."""

    images: int = 0
    lengths: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        said = f"{self.images} images of a failing power, histories of {len(self.lengths)} lengths"
        return f"{said}, {len(self.wrong)} wrong"


@dataclass(frozen=True)
class Written:
    """A database and its log as they stood at one moment, and how long the log was when each arrival was acknowledged.

    `stale` is what stood in the file of the log before, and `carried` the database with the log carried over into it.
    """

    database: bytes
    log: bytes
    acknowledged: tuple[tuple[int, int], ...]
    stale: bytes
    carried: bytes

    @property
    def page(self) -> int:
        """The size of a page."""
        size: int = struct.unpack(">I", self.log[8:12])[0]
        return size

    @property
    def frames(self) -> int:
        """How many pages the log holds."""
        return (len(self.log) - HEADER) // (FRAME_HEADER + self.page)

    def upto(self, frame: int) -> bytes:
        """The log up to a frame."""
        return self.log[: HEADER + frame * (FRAME_HEADER + self.page)]

    def known(self, length: int) -> int:
        """The last entry that was acknowledged when the log was no longer than this."""
        return max((entry for entry, at in self.acknowledged if at <= length), default=0)


def write(folder: Path, dice: random.Random) -> Written:
    """Move some tasks about in a ledger that has a history already, and read its files while it is open."""
    path = folder / "written.db"
    url, marks = f"sqlite:///{path}", folder / "marks"
    log = path.with_name(path.name + "-wal")
    prepare(url)
    with Host(url, marks) as host:
        for number in range(TASKS):
            host.service.create(f"T{number}", "w", dice.choice("abc"))
        if dice.random() < 0.5:  # else the log is gone with the last connection, and begins as a new file
            stale = _restarted(path, log)
            return _written(host, path, log, stale, dice)
    with Host(url, marks) as host:
        return _written(host, path, log, b"", dice)


def _restarted(path: Path, log: Path) -> bytes:
    """Carry the log over, so that it is written from its beginning again, over what stands in it."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0] == 0
    return log.read_bytes()


def _written(host: Host, path: Path, log: Path, stale: bytes, dice: random.Random) -> Written:
    database = path.read_bytes()
    acknowledged: list[tuple[int, int]] = []
    for _ in range(8):
        outcome = host.service.move(f"T{dice.randrange(TASKS)}", dice.choice("abc"))
        if outcome.entry is not None:
            acknowledged.append((outcome.entry.entry_id, len(_valid(log.read_bytes()))))
    assert path.read_bytes() == database, "the log was carried over meanwhile: the run is too long"
    written = _valid(log.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    return Written(database, written, tuple(acknowledged), stale, path.read_bytes())


def _valid(log: bytes) -> bytes:
    """The part of a log that was written since it was begun: its frames bear the salt of its header."""
    size = FRAME_HEADER + struct.unpack(">I", log[8:12])[0]
    end = HEADER
    while log[end + 8 : end + 16] == log[16:24]:
        end += size
    return log[:end]


def images(written: Written, dice: random.Random) -> Iterator[tuple[str, bytes, bytes, int]]:
    """What the disk may hold: a name, the database, the log, and the entry up to which all must be there."""
    size = FRAME_HEADER + written.page
    for frame in range(written.frames + 1):
        begun = written.upto(frame)
        known, database = written.known(len(begun)), written.database
        following = written.log[len(begun) : len(begun) + size] or dice.randbytes(size)
        later = written.log[len(begun) + size :]
        cut, bit = dice.randrange(1, size), dice.randrange(size)
        flipped = following[:bit] + bytes([following[bit] ^ 1 << dice.randrange(8)]) + following[bit + 1 :]
        behind = written.stale[len(begun) :]
        yield f"{frame} frames", database, begun + behind, known
        yield f"{frame} frames, torn at {cut}", database, begun + following[:cut] + behind[cut:], known
        yield f"{frame} frames, zeros from {cut}", database, begun + following[:cut].ljust(size, b"\0"), known
        yield f"{frame} frames, flipped at {bit}", database, begun + flipped + later, known
        yield "half carried over", _half_carried(written, dice), written.log, written.known(len(written.log))


def _half_carried(written: Written, dice: random.Random) -> bytes:
    """The database while the log is carried over: each page old, new, or torn between them."""
    size, old, new = written.page, written.database, written.carried
    pages = []
    for at in range(0, len(new), size):
        before, after = old[at : at + size].ljust(size, b"\0"), new[at : at + size]
        cut = dice.choice((0, size, dice.randrange(size)))
        pages.append(after[:cut] + before[cut:])
    return b"".join(pages[: max(len(old) // size, dice.randrange(len(pages) + 1))])


def look(path: Path, known: int, number: int) -> tuple[int, list[str]]:
    """Open an image as a host does; how many rows it has, and what is wrong with it."""
    with Host(f"sqlite:///{path}?synchronous=NORMAL", path.with_name("marks")) as host:
        found = wrong(host, calls=2)
        rows = [row.id for task in host.service.tasks() for row in host.service.history(task.id)]
        found += [f"acknowledged and gone: {known}"] if max(rows, default=0) < known else []
        found += ["an acknowledged entry has not run"] if _unrun(host, known) else []
        if number % 10 == 0:
            host.recover()
            found += [f"after the recovery: {item}" for item in host.audit() if item.kind.value != "superseded"]
    return len(rows), found


def _unrun(host: Host, known: int) -> bool:
    lacking = {item.entry_id for item in host.audit()}
    return any(entry is not None and entry <= known for entry in lacking)


def power(folder: Path, number: int, seed: int = 1) -> Figures:
    """Look at so many images."""
    figures, dice = Figures(), random.Random(seed)  # noqa: S311 - where the disk stopped
    rounds = 0
    while figures.images < number:
        rounds += 1
        place = folder / str(rounds)
        place.mkdir()
        written = write(place, dice)
        for name, database, log, known in images(written, dice):
            if figures.images == number:
                break
            path = place / "image.db"
            for suffix, data in (("", database), ("-wal", log)):
                path.with_name(path.name + suffix).write_bytes(data)
            path.with_name(path.name + "-shm").unlink(missing_ok=True)
            figures.images += 1
            try:
                rows, found = look(path, known, figures.images)
            except NewelError as error:
                rows, found = 0, [f"does not open: {error}"]
            figures.lengths.add(rows)
            figures.wrong += [f"{name}: {what}" for what in found]
    return figures
