"""Ledgers of every earlier schema, kept as they were, are brought up to date and lose nothing (SL6).

`fixtures/version-N.sqlite` and `fixtures/version-N.sql`, a dump of PostgreSQL, were written by the version of Newel
whose schema that was, through a service: an office with a task that was reviewed, rejected and reviewed again, its
child, and a task taken out; since version 3 also what an approver said of it. Whoever adds a migration keeps such a
pair of the schema before it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from newel.compiler.program import Program
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import SchemaTooOld
from newel.runtime.ledgers import postgres_schema, sqlite_schema
from newel.runtime.ledgers.base import Ledger
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service
from tests import postgres

FIXTURES = Path(__file__).with_name("fixtures")
LATEST = len(sqlite_schema.MIGRATIONS)
Old = Callable[[int], str]


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    """The URL of a ledger of that schema."""

    def file(version: int) -> str:
        shutil.copy(FIXTURES / f"version-{version}.sqlite", tmp_path / "old.db")
        return f"sqlite:///{tmp_path}/old.db"

    def schema(version: int) -> str:
        url: str = request.getfixturevalue("postgres_url")
        text = (FIXTURES / f"version-{version}.sql").read_text("utf-8")
        with postgres.connect(url) as connection:
            connection.execute(text.replace("newel_fixture", postgres.schema_of(url)).encode())
        return url

    return file if request.param == "sqlite" else schema


def test_sl6_both_dialects_are_at_the_same_version() -> None:
    assert len(postgres_schema.MIGRATIONS) == LATEST


def test_sl6_there_is_a_ledger_of_every_earlier_schema() -> None:
    kept = {path.name for path in FIXTURES.iterdir()}
    assert kept == {f"version-{n}.{kind}" for n in range(1, LATEST) for kind in ("sqlite", "sql")}


@pytest.mark.parametrize("version", range(1, LATEST))
def test_sl6_an_old_ledger_is_brought_up_to_date(old: Old, version: int) -> None:
    url = old(version)
    with pytest.raises(SchemaTooOld, match=f"version {version}, of {LATEST}"):
        open_ledger(url, migrate=False)
    ledgers = [open_ledger(url), open_ledger(url), open_ledger(url, migrate=False)]
    assert len({ledger.uuid for ledger in ledgers}) == 1
    for ledger in ledgers:
        _keeps_everything(ledger)
        with ledger.read() as view:
            decided = [(d.workflow, d.step, d.entry_id, d.decider) for d in view.decisions("T")]
        assert decided == ([("office", "review", 5, "bob")] if version >= 3 else [])
    _goes_on(ledgers[0])
    for ledger in ledgers:
        ledger.close()


def _keeps_everything(ledger: Ledger) -> None:
    with ledger.read() as view:
        standing = [(t.id, t.step, t.entry_id, t.priority, t.parent) for t in view.tasks()]
        assert standing == [("T", "review", 5, 2, None), ("child", "work", 2, 0, "T"), ("gone", None, None, 0, None)]
        assert [row.to_step for row in view.history("T")] == ["work", "review", "work", "review"]
        assert [task.id for task in view.children("T")] == ["child"]
        assert [(s.role, s.agent, s.position, s.origin) for s in view.seats("T")] == [
            ("reviewer", "ada", 0, "ensured"),
            ("approver", "bob", 3, "given"),
        ]
        assert [(run.key, run.status, run.worker) for run in view.runs()] == [
            ("3:2:1", "claimed", "w"),
            ("5:2:1", "queued", None),
        ]
        assert [(a.kind, a.status) for a in view.entry_actions(5)] == [
            ("clear_decisions", "applied"),
            ("ensure_participant_seat", "unchanged"),
            ("queue_run_for_each_participant", "applied"),
        ]


def _goes_on(ledger: Ledger) -> None:
    """It is used as if it had always been of this version."""
    with ledger.read() as view:
        row = view.row(5)
        text = view.program(row.revision) if row else None
    assert text is not None
    service = Service(Program.from_json(text), ledger, agents=StaticAgents(candidates=[("ada", ["reviewer"])]))
    assert service.audit().clean
    assert {action.status.value for action in service.redispatch(5).actions} == {"unchanged", "redelivered"}
    outcome = service.decide("T", role="reviewer", decider="ada", verdict="approved")
    assert (outcome.kind.value, outcome.to_step) == ("moved", "done")
    assert service.history("T")[-1].id > 7
    service.create("new", "office")
    with ledger.read() as view:
        assert view.occupied("office", "work") == 2
        assert list(view.approvals("T")) == []
    service.remove("T")
    assert service.audit().clean
