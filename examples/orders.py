"""The handlers of the order workflow: what its kinds and guards do, with a shop that is one table and one outbox.

Database kinds write through `context.tx`, in the transaction of the step change or of the entry. Outside kinds talk to
other systems, and hand on `context.idempotency_key`, so that a call made twice is one there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newel.runtime import Handlers

if TYPE_CHECKING:
    from newel.runtime import Context

handlers = Handlers()

SCHEMA = """
CREATE TABLE IF NOT EXISTS stock (
    task TEXT PRIMARY KEY,
    goods_there INTEGER NOT NULL DEFAULT 1,
    price INTEGER NOT NULL DEFAULT 100,
    on_account INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'new'
)
"""

OUTBOX: dict[str | None, str] = {}
"""What was sent to the outside, by idempotency key: a carrier, a mail server, a bank."""


def _say(context: Context, text: str) -> None:
    OUTBOX[context.idempotency_key or f"{context.task}:{context.operation_id}:{text}"] = text


def _set(context: Context, state: str) -> None:
    assert context.tx is not None
    context.tx.execute(SCHEMA)
    context.tx.execute(
        "INSERT INTO stock (task, state) VALUES (?, ?) ON CONFLICT (task) DO UPDATE SET state = excluded.state",
        (context.task, state),
    )


def _order(context: Context, column: str) -> Any:
    assert context.tx is not None
    context.tx.execute(SCHEMA)
    context.tx.execute("INSERT OR IGNORE INTO stock (task) VALUES (?)", (context.task,))
    rows = context.tx.execute(f"SELECT {column} FROM stock WHERE task = ?", (context.task,))  # noqa: S608 - our own column names
    return rows[0][0]


@handlers.action("reserve_stock", database=True)
def reserve_stock(action: Any, context: Context) -> None:
    """Put the order's goods aside."""
    _set(context, "reserved")


@handlers.action("release_stock", database=True)
def release_stock(action: Any, context: Context) -> None:
    """Put them back on the shelf."""
    _set(context, "released")


@handlers.action("note", database=True)
def note(action: Any, context: Context) -> None:
    """Write something into the order's file."""
    _set(context, action.text)


@handlers.action("refund")
def refund(action: Any, context: Context) -> None:
    """Tell the bank to pay back; the key keeps a second call from paying twice."""
    _say(context, "refund")


@handlers.action("send_mail")
def send_mail(action: Any, context: Context) -> None:
    """Hand the mail to the mail server."""
    mail = action.mail
    _say(context, f"mail {mail['case'] if isinstance(mail, dict) else getattr(mail, 'case', mail)}")


@handlers.action("print_label")
def print_label(action: Any, context: Context) -> None:
    """Send the label to the printer."""
    _say(context, f"{action.copies} labels for {action.carrier}")


@handlers.action("ring")
def ring(action: Any, context: Context) -> None:
    """Ring a department up."""
    _say(context, f"ring {action.who}")


@handlers.guard("paid_in_full")
def paid_in_full(guard: Any, context: Context) -> bool:
    """Whether what was paid covers the price."""
    return bool(context.payload.get("amount", 0) >= _order(context, "price"))


@handlers.guard("on_account")
def on_account(guard: Any, context: Context) -> bool:
    """Whether the customer pays at the end of the month."""
    return bool(_order(context, "on_account"))


@handlers.guard("in_stock")
def in_stock(guard: Any, context: Context) -> bool:
    """Whether everything on the order is on the shelf."""
    return bool(_order(context, "goods_there"))
