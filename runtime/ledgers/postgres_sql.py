"""Every statement of the PostgreSQL ledger."""

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
    task=_select(_TASK, "newel_tasks WHERE id = %s"),
    # NO KEY: every other writer waits, but not who only refers to the task by a foreign key. The transaction's own id
    # comes along, so that a commit whose answer is lost can be asked about.
    lock_task=_select(f"{_TASK}, pg_current_xact_id()::text", "newel_tasks WHERE id = %s FOR NO KEY UPDATE"),
    tasks=_select(_TASK, "newel_tasks ORDER BY id"),
    children=_select(_TASK, "newel_tasks WHERE parent = %s ORDER BY created_at, id"),
    add_task="""
        INSERT INTO newel_tasks(id, priority, parent, position, created_at) VALUES (%s, %s, %s, 0, %s)
        ON CONFLICT DO NOTHING RETURNING pg_current_xact_id()::text
    """,
    place_task=None,
    place="SELECT id FROM newel_places WHERE workflow = %s AND step = %s",
    lock_place="SELECT id FROM newel_places WHERE workflow = %s AND step = %s FOR UPDATE",
    # One at a time, or the second would hold the table and wait for the place, and who has the place for the table.
    add_place_alone="SELECT pg_advisory_xact_lock(hashtextextended('newel place ' || %s || ' ' || %s, 0))",
    # The table is locked this once, or an arrival that does not know the place yet would go uncounted.
    add_place=(
        "LOCK TABLE newel_tasks IN SHARE ROW EXCLUSIVE MODE",
        "INSERT INTO newel_places(workflow, step) VALUES (%(workflow)s, %(step)s) ON CONFLICT DO NOTHING",
        """
        UPDATE newel_tasks AS t SET place = p.id FROM newel_places AS p
        WHERE p.workflow = %(workflow)s AND p.step = %(step)s AND t.workflow = p.workflow AND t.step = p.step
          AND t.place IS DISTINCT FROM p.id
        """,
    ),
    occupied="SELECT count(*) FROM newel_tasks WHERE place = %s",
    count_at="SELECT count(*) FROM newel_tasks WHERE workflow = %s AND step = %s",
    # By the server's clock: those of the writers' machines differ.
    wait_for="""
        UPDATE newel_tasks
        SET queued_workflow = %(workflow)s, queued_for = %(step)s, queued_operation = %(operation)s,
            queued_at = CASE
                WHEN queued_workflow = %(workflow)s AND queued_for = %(step)s THEN queued_at
                ELSE to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US+00:00') END
        WHERE id = %(task)s
    """,
    wait_no_more="""
        UPDATE newel_tasks SET queued_workflow = NULL, queued_for = NULL, queued_at = NULL, queued_operation = NULL
        WHERE id = %s
    """,
    waiting=_select(
        _TASK,
        """newel_tasks WHERE queued_workflow = %s AND queued_for = %s
        ORDER BY position, priority DESC, queued_at, id LIMIT %s""",
    ),
    # Arrivals are in the order of their rows, whatever the clocks said.
    residents=_select(
        _TASK,
        """newel_tasks WHERE place = %s AND queued_for IS NULL
        ORDER BY position, priority DESC, entry_id, id LIMIT %s""",
    ),
    reorder="UPDATE newel_tasks SET position = %s WHERE id = %s",
    row=_select(_ROW, "newel_rows WHERE id = %s"),
    history=_select(_ROW, "newel_rows WHERE task = %s ORDER BY id"),
    rows=_select(_ROW, "newel_rows WHERE id > %s ORDER BY id LIMIT %s"),
    last_id="SELECT coalesce(max(id), 0) FROM newel_rows",
    # Row and step in one statement: one way to the server and back instead of two.
    add_row="""
        WITH made AS (
            INSERT INTO newel_rows(task, session, from_workflow, from_step, to_workflow, to_step, route, actor_kind,
                                   actor_id, revision, contract_version, occurred_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id, task, to_workflow, to_step
        ), placed AS (
            UPDATE newel_tasks SET workflow = made.to_workflow, step = made.to_step, queued_for = NULL,
                queued_workflow = NULL, queued_at = NULL, queued_operation = NULL,
                entry_id = CASE WHEN made.to_step IS NULL THEN NULL ELSE made.id END,
                place = (
                    SELECT p.id FROM newel_places AS p WHERE p.workflow = made.to_workflow AND p.step = made.to_step
                )
            FROM made WHERE newel_tasks.id = made.task
        )
        SELECT id FROM made
    """,
    remove_task=(
        # In one order, so that two tasks with runs for each other can be removed at once.
        "SELECT id FROM newel_runs WHERE task = %(task)s OR source = %(task)s ORDER BY id FOR UPDATE",
        """
        WITH actions AS (
            DELETE FROM newel_entry_actions WHERE entry_id IN (SELECT id FROM newel_rows WHERE task = %(task)s)
        ), history AS (
            DELETE FROM newel_rows WHERE task = %(task)s
        ), decisions AS (
            DELETE FROM newel_decisions WHERE task = %(task)s
        ), approvals AS (
            DELETE FROM newel_approvals WHERE task = %(task)s
        ), seats AS (
            DELETE FROM newel_seats WHERE task = %(task)s
        )
        DELETE FROM newel_runs WHERE task = %(task)s OR source = %(task)s
        """,
        "DELETE FROM newel_tasks WHERE id = %(task)s",
    ),
    program="SELECT program FROM newel_programs WHERE revision = %s",
    keep_program="INSERT INTO newel_programs(revision, program) VALUES (%s, %s) ON CONFLICT DO NOTHING",
    entry_actions=_select(_ACTION, "newel_entry_actions WHERE entry_id = %s ORDER BY position"),
    actions_between=_select(
        _ACTION, "newel_entry_actions WHERE entry_id BETWEEN %s AND %s ORDER BY entry_id, position"
    ),
    record_action="""
        INSERT INTO newel_entry_actions AS kept (entry_id, position, kind, status, reason, deliveries, at)
        VALUES (%s, %s, %s, %s, %s, 1, %s)
        ON CONFLICT (entry_id, position) DO UPDATE SET deliveries = kept.deliveries + 1, at = excluded.at,
            reason = CASE
                WHEN kept.status = 'applied' OR (kept.status = 'unchanged' AND excluded.status = 'redelivered')
                THEN kept.reason ELSE excluded.reason END,
            status = CASE
                WHEN kept.status = 'applied' OR (kept.status = 'unchanged' AND excluded.status = 'redelivered')
                THEN kept.status ELSE excluded.status END
    """,
    decisions=_select(_DECISION, "newel_decisions WHERE task = %s ORDER BY id"),
    active_decisions=_select(
        _DECISION, "newel_decisions WHERE task = %s AND workflow = %s AND step = %s AND NOT superseded ORDER BY id"
    ),
    supersede="""
        UPDATE newel_decisions SET superseded = TRUE
        WHERE task = %s AND workflow = %s AND step = %s AND role = %s AND decider = %s AND NOT superseded
    """,
    add_decision="""
        INSERT INTO newel_decisions(task, workflow, step, entry_id, role, decider, decider_kind, verdict, note,
                                    given_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
    """,
    clear_decisions="DELETE FROM newel_decisions WHERE task = %s AND workflow = %s AND step = %s RETURNING id",
    clear_decisions_before="""
        DELETE FROM newel_decisions WHERE task = %s AND workflow = %s AND step = %s AND entry_id < %s RETURNING id
    """,
    approvals=_select(_APPROVAL, "newel_approvals WHERE task = %s ORDER BY id"),
    approval=_select(_APPROVAL, "newel_approvals WHERE id = %s"),
    approval_at=_select(_APPROVAL, "newel_approvals WHERE entry_id = %s AND cause = %s AND position = %s"),
    add_approval=_returning(
        _APPROVAL,
        """
        INSERT INTO newel_approvals(task, entry_id, cause, position, to_step, payload, asked_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s)
        """,
    ),
    settle_approval="""
        UPDATE newel_approvals SET status = %s, actor_kind = %s, actor_id = %s, settled_at = %s
        WHERE id = %s AND status = 'pending' RETURNING id
    """,
    seats=_select(_SEAT, "newel_seats WHERE task = %s ORDER BY id"),
    seat=_select(_SEAT, "newel_seats WHERE id = %s"),
    add_seat="""
        INSERT INTO newel_seats(task, workflow, step, role, agent, required, position, ensured_by)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING id
    """,
    set_seat="UPDATE newel_seats SET required = %s, position = %s WHERE id = %s",
    remove_seat="DELETE FROM newel_seats WHERE id = %s RETURNING id",
    runs=_select(_RUN, "newel_runs ORDER BY id"),
    runs_of=_select(_RUN, "newel_runs WHERE task = %s ORDER BY id"),
    has_runs="SELECT 1 FROM newel_runs WHERE entry_id = %s AND position = %s AND cause = 'enter' LIMIT 1",
    add_run="""
        INSERT INTO newel_runs(task, source, step, agent, reason, payload, entry_id, position, cause, key, queued_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING id
    """,
    # Workers pass over what another is just claiming, instead of waiting for it. A lease runs by the server's clock.
    claim_runs=_returning(
        ", ".join(f"r.{column}" for column in _RUN.split(", ")),
        """
        WITH due AS MATERIALIZED (
            SELECT id FROM newel_runs
            WHERE status IN ('queued', 'claimed')
              AND (status = 'queued' OR leased_until <= extract(epoch FROM clock_timestamp()))
            ORDER BY id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
        )
        UPDATE newel_runs AS r
        SET status = 'claimed', worker = %(worker)s, leased_until = extract(epoch FROM clock_timestamp()) + %(lease)s
        FROM due WHERE r.id = due.id
        """,
    ),
    finish_run="""
        UPDATE newel_runs SET status = %s, error = %s, leased_until = NULL
        WHERE id = %s AND worker = %s AND status = 'claimed' RETURNING id
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
