"""The window of SE8, shown (R3): a crash between commit and dispatch loses that dispatch, and nobody makes up for it
unasked."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.crash.hosting import Host, Store
from tests.crash.points import DIED, Points, in_child
from tests.crash.whole import wrong

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def crash_after_the_commit(store: Store) -> None:
    """T moves from a to b in a process that dies as soon as that is committed."""
    with Host(store.url, store.marks) as host:
        host.service.create("T", "w")

    def act() -> None:
        host = Host(store.url, store.marks)
        Points(lambda name: os._exit(DIED) if name == "after the commit" else None)
        host.service.move("T", "b")

    assert in_child(act) == DIED


def test_se8_a_crash_right_after_the_commit_loses_exactly_that_dispatch(store: Store) -> None:
    crash_after_the_commit(store)
    with Host(store.url, store.marks) as host:
        entry = host.service.task("T").entry_id or 0
        assert host.service.task("T").step == "b"
        assert host.service.entry(entry).actions == ()
        assert host.service.runs() == ()
        assert host.notes() == Counter({(entry - 1, "left a"): 1})
        assert [(item.kind.value, item.entry_id) for item in host.audit()] == [("running", entry)]
        assert not host.service.redispatch(entry).redelivery
        assert host.audit() == []
        assert wrong(host, calls=1) == []


def test_se8_arriving_again_runs_the_entry_anew(store: Store) -> None:
    crash_after_the_commit(store)
    with Host(store.url, store.marks) as host:
        lost = host.service.task("T").entry_id
        host.service.move("T", "c")
        outcome = host.service.move("T", "b")
        assert outcome.entry is not None
        assert len(outcome.entry.actions) == 8
        assert [(item.kind.value, item.entry_id) for item in host.audit()] == [("superseded", lost)]
        assert {run.entry_id for run in host.service.runs()} == {outcome.entry.entry_id}
        assert wrong(host, calls=1) == []


def test_se8_nothing_sweeps(store: Store) -> None:
    """Whatever is asked of the service, of this task or of others: only a redispatch runs what was lost."""
    crash_after_the_commit(store)
    entry = 0
    for _ in range(3):  # opening it does not, nor does opening it once more
        with Host(store.url, store.marks) as host:
            service = host.service
            entry = service.task("T").entry_id or 0
            service.create("X", "w", "b")
            service.move("X", "c")
            service.switch("X", "v")
            service.detach("X")
            service.handle("T", "comment", payload={"comment_id": "1"})
            service.handle("T", "turn_complete")
            service.decide("T", role="reviewer", decider="ada", verdict="approved")
            service.move("T", "b")
            service.move_many([("T", "b")])
            service.children_completed("T")
            service.reorder("T", 4)
            service.pull("w", "d")
            service.claim_runs("worker", 10)
            service.unseat(service.seat("T", step="b", role="reviewer", agent="ben"))
            service.remove("X")
            service.audit()
            assert service.task("T").entry_id == entry
            assert service.entry(entry).actions == ()
            assert service.runs("T") == ()
    with Host(store.url, store.marks) as host:
        assert {action.status.value for action in host.service.redispatch(entry).actions} == {"applied", "unchanged"}
        assert host.audit() == []
