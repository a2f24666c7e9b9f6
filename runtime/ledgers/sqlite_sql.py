"""Every statement of the SQLite ledger."""

from __future__ import annotations

from newel.runtime.ledgers.sql import Statements

_TASK = "id, workflow, step, entry_id, queued_for, priority, parent, position, queued_workflow, queued_operation"
_ROW = (
    "id, task, session, from_workflow, from_step, to_workflow, to_step, route, actor_kind, actor_id, revision, "
    "contract_version, occurred_at"
)
_ACTION = "entry_id, position, kind, status, reason, deliveries, at"
_DECISION = "id, task, workflow, step, entry_id, role, decider, decider_kind, verdict, note, superseded"
_APPROVAL = "id, task, entry_id, cause, position, to_step, status, payload, actor_kind, actor_id"
_SEAT = "id, task, workflow, step, role, agent, required, position, ensured_by"
_RUN = "id, task, source, step, agent, reason, payload, entry_id, position, status, key, worker, error"


def _select(columns: str, rest: str) -> str:
    return " ".join(("SELECT", columns, "FROM", rest))


def _returning(columns: str, statement: str) -> str:
    return " ".join((statement, "RETURNING", columns))


STATEMENTS = Statements(
    task=_select(_TASK, "newel_tasks WHERE id = ?"),
    # BEGIN IMMEDIATE has locked every task already.
    lock_task=_select(_TASK, "newel_tasks WHERE id = ?"),
    tasks=_select(_TASK, "newel_tasks ORDER BY id"),
    children=_select(_TASK, "newel_tasks WHERE parent = ? ORDER BY created_at, id"),
    add_task="""
        INSERT INTO newel_tasks(id, priority, parent, position, created_at) VALUES (?, ?, ?, 0, ?)
        ON CONFLICT DO NOTHING RETURNING id
    """,
    place_task="""
        UPDATE newel_tasks SET workflow = ?1, step = ?2, entry_id = ?3,
            queued_workflow = NULL, queued_for = NULL, queued_at = NULL, queued_operation = NULL,
            place = (SELECT id FROM newel_places WHERE workflow = ?1 AND step = ?2)
        WHERE id = ?4
    """,
    place="SELECT id FROM newel_places WHERE workflow = ? AND step = ?",
    # BEGIN IMMEDIATE has locked every place already.
    lock_place="SELECT id FROM newel_places WHERE workflow = ? AND step = ?",
    add_place_alone=None,
    add_place=(
        "INSERT INTO newel_places(workflow, step) VALUES (:workflow, :step)",
        """
        UPDATE newel_tasks SET place = (SELECT id FROM newel_places WHERE workflow = :workflow AND step = :step)
        WHERE workflow = :workflow AND step = :step
        """,
    ),
    occupied="SELECT count(*) FROM newel_tasks WHERE place = ?",
    count_at="SELECT count(*) FROM newel_tasks WHERE workflow = ? AND step = ?",
    wait_for="""
        UPDATE newel_tasks SET queued_workflow = :workflow, queued_for = :step, queued_operation = :operation,
            queued_at = CASE WHEN queued_workflow = :workflow AND queued_for = :step THEN queued_at ELSE :at END
        WHERE id = :task
    """,
    wait_no_more="""
        UPDATE newel_tasks SET queued_workflow = NULL, queued_for = NULL, queued_at = NULL, queued_operation = NULL
        WHERE id = ?
    """,
    waiting=_select(
        _TASK,
        """newel_tasks WHERE queued_workflow = ? AND queued_for = ?
        ORDER BY position, priority DESC, queued_at, id LIMIT ?""",
    ),
    # Arrivals are in the order of their rows, whatever the clocks said.
    residents=_select(
        _TASK,
        """newel_tasks WHERE place = ? AND queued_for IS NULL
        ORDER BY position, priority DESC, entry_id, id LIMIT ?""",
    ),
    reorder="UPDATE newel_tasks SET position = ? WHERE id = ?",
    row=_select(_ROW, "newel_rows WHERE id = ?"),
    history=_select(_ROW, "newel_rows WHERE task = ? ORDER BY id"),
    rows=_select(_ROW, "newel_rows WHERE id > ? ORDER BY id LIMIT ?"),
    last_id="SELECT coalesce(max(id), 0) FROM newel_rows",
    add_row="""
        INSERT INTO newel_rows(task, session, from_workflow, from_step, to_workflow, to_step, route, actor_kind,
                               actor_id, revision, contract_version, occurred_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    remove_task=(
        "DELETE FROM newel_entry_actions WHERE entry_id IN (SELECT id FROM newel_rows WHERE task = :task)",
        "DELETE FROM newel_rows WHERE task = :task",
        "DELETE FROM newel_decisions WHERE task = :task",
        "DELETE FROM newel_approvals WHERE task = :task",
        "DELETE FROM newel_seats WHERE task = :task",
        "DELETE FROM newel_runs WHERE task = :task OR source = :task",
        "DELETE FROM newel_tasks WHERE id = :task",
    ),
    program="SELECT program FROM newel_programs WHERE revision = ?",
    keep_program="INSERT INTO newel_programs(revision, program) VALUES (?, ?) ON CONFLICT DO NOTHING",
    entry_actions=_select(_ACTION, "newel_entry_actions WHERE entry_id = ? ORDER BY position"),
    actions_between=_select(_ACTION, "newel_entry_actions WHERE entry_id BETWEEN ? AND ? ORDER BY entry_id, position"),
    record_action="""
        INSERT INTO newel_entry_actions(entry_id, position, kind, status, reason, deliveries, at)
        VALUES (?, ?, ?, ?, ?, 1, ?)
        ON CONFLICT (entry_id, position) DO UPDATE SET deliveries = deliveries + 1, at = excluded.at,
            reason = CASE WHEN status = 'applied' OR (status = 'unchanged' AND excluded.status = 'redelivered')
                          THEN reason ELSE excluded.reason END,
            status = CASE WHEN status = 'applied' OR (status = 'unchanged' AND excluded.status = 'redelivered')
                          THEN status ELSE excluded.status END
    """,
    decisions=_select(_DECISION, "newel_decisions WHERE task = ? ORDER BY id"),
    active_decisions=_select(
        _DECISION, "newel_decisions WHERE task = ? AND workflow = ? AND step = ? AND superseded = 0 ORDER BY id"
    ),
    supersede="""
        UPDATE newel_decisions SET superseded = 1
        WHERE task = ? AND workflow = ? AND step = ? AND role = ? AND decider = ? AND superseded = 0
    """,
    add_decision="""
        INSERT INTO newel_decisions(task, workflow, step, entry_id, role, decider, decider_kind, verdict, note,
                                    given_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
    """,
    clear_decisions="DELETE FROM newel_decisions WHERE task = ? AND workflow = ? AND step = ? RETURNING id",
    clear_decisions_before="""
        DELETE FROM newel_decisions WHERE task = ? AND workflow = ? AND step = ? AND entry_id < ? RETURNING id
    """,
    approvals=_select(_APPROVAL, "newel_approvals WHERE task = ? ORDER BY id"),
    approval=_select(_APPROVAL, "newel_approvals WHERE id = ?"),
    approval_at=_select(_APPROVAL, "newel_approvals WHERE entry_id = ? AND cause = ? AND position = ?"),
    add_approval=_returning(
        _APPROVAL,
        """
        INSERT INTO newel_approvals(task, entry_id, cause, position, to_step, payload, asked_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
    ),
    settle_approval="""
        UPDATE newel_approvals SET status = ?, actor_kind = ?, actor_id = ?, settled_at = ?
        WHERE id = ? AND status = 'pending' RETURNING id
    """,
    seats=_select(_SEAT, "newel_seats WHERE task = ? ORDER BY id"),
    seat=_select(_SEAT, "newel_seats WHERE id = ?"),
    add_seat="""
        INSERT INTO newel_seats(task, workflow, step, role, agent, required, position, ensured_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
    """,
    set_seat="UPDATE newel_seats SET required = ?, position = ? WHERE id = ?",
    remove_seat="DELETE FROM newel_seats WHERE id = ? RETURNING id",
    runs=_select(_RUN, "newel_runs ORDER BY id"),
    runs_of=_select(_RUN, "newel_runs WHERE task = ? ORDER BY id"),
    has_runs="SELECT 1 FROM newel_runs WHERE entry_id = ? AND position = ? AND cause = 'enter' LIMIT 1",
    add_run="""
        INSERT INTO newel_runs(task, source, step, agent, reason, payload, entry_id, position, cause, key, queued_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
    """,
    claim_runs=_returning(
        _RUN,
        """
        UPDATE newel_runs SET status = 'claimed', worker = :worker, leased_until = :now + :lease
        WHERE id IN (
            SELECT id FROM newel_runs
            WHERE status IN ('queued', 'claimed') AND (status = 'queued' OR leased_until <= :now)
            ORDER BY id LIMIT :limit
        )
        """,
    ),
    finish_run="""
        UPDATE newel_runs SET status = ?, error = ?, leased_until = NULL
        WHERE id = ? AND worker = ? AND status = 'claimed' RETURNING id
    """,
    doubled=_select(
        _RUN,
        """newel_runs AS later WHERE key IS NOT NULL AND EXISTS (
            SELECT 1 FROM newel_runs AS earlier
            WHERE earlier.key = later.key AND earlier.cause = later.cause AND earlier.id < later.id
        ) ORDER BY id""",
    ),
    strays="""
        SELECT 'run', r.id, r.entry_id, r.source FROM newel_runs AS r
        WHERE r.entry_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM newel_rows AS h WHERE h.id = r.entry_id AND h.task = r.source)
        UNION ALL
        SELECT 'decision', d.id, d.entry_id, d.task FROM newel_decisions AS d
        WHERE NOT EXISTS (SELECT 1 FROM newel_rows AS h WHERE h.id = d.entry_id AND h.task = d.task)
        UNION ALL
        SELECT 'approval', a.id, a.entry_id, a.task FROM newel_approvals AS a
        WHERE NOT EXISTS (SELECT 1 FROM newel_rows AS h WHERE h.id = a.entry_id AND h.task = a.task)
        UNION ALL
        SELECT 'seat', s.id, s.ensured_by, s.task FROM newel_seats AS s
        WHERE s.ensured_by IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM newel_rows AS h WHERE h.id = s.ensured_by AND h.task = s.task)
        ORDER BY 1, 2
    """,
)
