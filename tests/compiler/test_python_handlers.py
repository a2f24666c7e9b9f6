"""`newel compile --python` for the words of the orders: handlers written against the module are checked by both type
checkers, a wrong one is caught by both, and what they say is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HANDLERS = '''
"""What the shop does, by the classes of its words."""

from __future__ import annotations

from shop_words import InStock, OnAccount, PaidInFull, PrintLabel, Refund, ReleaseStock, ReserveStock, SendMail
from shop_words import MailShipped

from newel.runtime import Context, Handlers

handlers = Handlers()
DONE: list[str] = []


@handlers.action("reserve_stock")
def reserve_stock(action: ReserveStock, context: Context) -> None:
    DONE.append(f"{action.kind} for {context.task}")


@handlers.action("release_stock")
def release_stock(action: ReleaseStock, context: Context) -> None:
    DONE.append(action.kind)


@handlers.action("refund")
def refund(action: Refund, context: Context) -> None:
    DONE.append(action.kind)


@handlers.action("send_mail")
def send_mail(action: SendMail, context: Context) -> None:
    mail = action.mail
    by = f" by {mail.carrier}" if mail.case == "shipped" else ""
    DONE.append(f"mail {mail.case}{by}")


@handlers.action("print_label")
def print_label(action: PrintLabel, context: Context) -> None:
    copies: int = action.copies
    DONE.append(f"{copies} of {action.carrier}")


@handlers.guard("paid_in_full")
def paid_in_full(guard: PaidInFull, context: Context) -> bool:
    return bool(context.payload["amount"] >= 100)


@handlers.guard("on_account")
def on_account(guard: OnAccount, context: Context) -> bool:
    return False


@handlers.guard("in_stock")
def in_stock(guard: InStock, context: Context) -> bool:
    return True


EXAMPLE = MailShipped(carrier="courier")
'''

RUN = """
import shop_handlers
from newel.compiler import compile_files
from newel.runtime import Service, open_ledger

service = Service(compile_files(["orders.newel"]).require(), open_ledger("memory:"), shop_handlers.handlers)
print(service.unwired())
service.create("o-1", "order")
print(service.task("o-1").step, shop_handlers.DONE)
print(service.handle("o-1", "paid", payload={"payment": "p", "amount": 100}).to_step, shop_handlers.DONE)
"""

WRONG = [
    ("copies: int = action.copies", "copies: str = action.copies"),
    ("action.carrier}", "action.carier}"),
    ("mail.carrier}", "mail.box}"),
    ('MailShipped(carrier="courier")', 'MailShipped(carrier="drone")'),
]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder of somebody's own: the words as a module, written by the command, and the handlers."""
    for name in ("orders.newel", "orders-words.newel"):
        (tmp_path / name).write_bytes((ROOT / "examples" / name).read_bytes())
    program = "import sys; from newel.runtime.cli.app import run; sys.exit(run())"
    run(tmp_path, "-c", program, "compile", "orders.newel", "--python", "-o", "shop_words.py")
    (tmp_path / "shop_handlers.py").write_text(HANDLERS, "utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, good: bool = True) -> str:
    """What a Python of the tests' own prints there; `good` is whether it must succeed."""
    env = {**os.environ, "MYPYPATH": str(ROOT / ".namespace"), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == good, done.stdout + done.stderr
    return done.stdout


def checkers(folder: Path) -> dict[str, tuple[str, ...]]:
    """Both type checkers, at their strictest and without a cache of ours."""
    (folder / "pyrightconfig.json").write_text(
        f'{{"include": ["shop_words.py", "shop_handlers.py"], "typeCheckingMode": "standard",'
        f' "extraPaths": ["{ROOT / ".namespace"}"]}}'
    )
    return {
        "mypy": ("-m", "mypy", "--strict", "--config-file=", "shop_words.py", "shop_handlers.py"),
        "pyright": ("-m", "pyright", "--pythonpath", sys.executable),
    }


@pytest.mark.slow
def test_handlers_written_against_the_module_pass_both_checkers_and_run(shop: Path) -> None:
    for command in checkers(shop).values():
        run(shop, *command)
    (shop / "run.py").write_text(RUN, "utf-8")
    assert run(shop, "run.py").splitlines() == [
        "('kind note', 'kind ring')",
        "placed ['reserve_stock for o-1']",
        "packing ['reserve_stock for o-1', 'mail underpaid', '2 of courier', 'mail confirmation']",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_a_handler_that_takes_a_word_for_what_it_is_not_is_caught(shop: Path, name: str) -> None:
    """A wrong type, a field that is not there, a field of another case, a case that is none: each is one error."""
    text = HANDLERS
    for right, wrong in WRONG:
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    (shop / "shop_handlers.py").write_text(text, "utf-8")
    said = run(shop, *checkers(shop)[name], good=False)
    lines = set(re.findall(r"shop_handlers\.py:(\d+):.*error", said))
    assert lines == {
        str(number) for number, line in enumerate(text.splitlines(), 1) if any(w in line for _, w in WRONG)
    }
