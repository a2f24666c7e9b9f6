"""Edits that break the runtime, to whether the model notices: what the state machine is worth.

Run as a program in a copy of the project in which an edit has been made: tries so many sequences of calls, and exits 1
where one of them ends otherwise than the contract says.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hypothesis import Phase, settings

from tests.promises.edits import Edit, copied, edits

NOTICED = 1
STEPS = 30


def noticed(edit: Edit, folder: Path, examples: int) -> subprocess.CompletedProcess[str]:
    """Make an edit in a copy of the project under `folder`, and try so many sequences there."""
    copy = copied(folder / f"model-{edit.line}-{abs(hash(edit)) % 10**8}")
    file = copy / edit.file
    file.write_text(file.read_text("utf-8").replace(edit.find, edit.replace), "utf-8")
    paths = f"{copy / '.namespace'}{os.pathsep}{copy}"
    command = [sys.executable, "-W", "error", "-m", "tests.runtime.reach", str(examples)]
    try:
        return subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
    finally:
        shutil.rmtree(copy)


def within_reach() -> list[Edit]:
    """The edits whose effect shows in calls of the board, one after the other."""
    return [edit for edit in edits() if edit.why in REACH]


def main(examples: int) -> int:
    """Without making a failure smaller, which takes longer than finding it."""
    from tests.runtime.machine import Board, sequences

    logging.disable()
    settings.register_profile("reach", database=None, derandomize=True, print_blob=False)
    settings.load_profile("reach")
    try:
        sequences(lambda: Board.open_url("memory:"), examples, STEPS, (Phase.generate,))
    except Exception as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0])
        return NOTICED
    print("nothing was noticed")
    return 0


REACH = frozenset(
    (
        "a blank session is written as one",
        "a created task does not run its entry",
        "a database action is called whatever its record says",
        "a decided move does not compare the entry",
        "a decision asks the moves of every trigger",
        "a decision does not supersede the one before",
        "a decision fails with what hinders its move",
        "a decision of somebody whose seat was removed counts",
        "a decision on an entry that has passed is recorded",
        "a delivery that failed is marked",
        "a delivery without a list is not marked",
        "a failure of an exit list is passed over",
        "a fan-out is known by its first run and not as a whole",
        "a guard over rejections asks the slate",
        "a guard without an action holds whatever it says",
        "a key of a fan-out does not name the seat",
        "a later move goes before an earlier one",
        "a move is dispatched twice",
        "a move of the engine enters nothing",
        "a move of the engine writes no row",
        "a move that waits is stored for each delivery",
        "a number is one less than it says",
        "a person may move a task anywhere",
        "a person rejects for one role only",
        "a plain move does not run the entry",
        "a pull is called what has caused it",
        "a rebuild begins with an empty operation ledger",
        "a rebuild makes a ledger of its own",
        "a recovery is counted as a redelivery",
        "a redelivery is counted as a first dispatch",
        "a redispatch runs the session's half too",
        "a rejected move waits again",
        "a removal fills no place",
        "a removed task leaves its approvals",
        "a removed task leaves its decisions",
        "a run of an entry has no key",
        "a run's key does not name the entry",
        "a seat elsewhere goes before one here",
        "a seat that need not decide is taken for one that does",
        "a session is started in its own turn",
        "a store keeps its own copy of what was applied",
        "a switch is dispatched twice",
        "a switch passes over an exit list of no delivery",
        "a switch runs an exit list that was applied",
        "a switch runs no exit list",
        "a switch takes no heed of limits",
        "a task that waits runs its exit list",
        "actions before a move that is taken are left out",
        "an agent rejects for every role",
        "an applied delivery passes for one that stayed",
        "an applied delivery runs again",
        "an approval lets a task move that has left and come back",
        "an approved move does not ask its guard again",
        "an earlier entry's decisions count",
        "an empty slate satisfies a guard",
        "an entry runs only where there are sessions",
        "an entry the task has left is run all the same",
        "an evaluation marks the delivery",
        "an evaluation runs the handlers",
        "an evaluation runs the list",
        "an evaluation stores an approval",
        "an excluded kind under another trigger is passed over",
        "an inner cause wins over the outer one",
        "an interruption is recorded as a failure",
        "an old entry runs the list of the program of today",
        "an outside action is called whatever its record says",
        "an outside action leaves no record",
        "an outside action that is done is told as applied again",
        "an outside failure ends the entry",
        "at no step do earlier decisions cease to count",
        "attaching is recorded as switching",
        "children that moved their parent are not remembered",
        "clearing again takes the decisions of its own entry",
        "clearing on entry clears everything",
        "evaluation takes no heed of limits",
        "every cancelled turn counts",
        "every look makes another ledger",
        "everybody who sits there is woken",
        "finished work waits for no signal",
        "half is a majority",
        "no way leads to where a person may not move a task",
        "nobody gets past two full steps",
        "one approval is all",
        "one finished child is enough",
        "one more than the limit is let in",
        "one task that cannot leave keeps all others out",
        "only approvals count as decided",
        "priority does not count",
        "seats come in another order than they are counted in",
        "seats of other roles count",
        "seats that came later are added to a fan-out",
        "somebody is seated though somebody sits there",
        "somebody with two seats counts twice",
        "the dispatched kinds run backwards",
        "the engine runs the entry, and the writer's dispatch after it",
        "the exit list's database actions are left out",
        "the feeder's tasks come before those who wait",
        "the half runs twice",
        "the id of a removed row is given out again",
        "the key of a run does not name its position",
        "the mark is made before anything has run",
        "the mark is made though the caller defers it",
        "the outside part of an exit list is left out",
        "the session of the mover runs the half",
        "the session's half runs backwards",
        "under another trigger a failure stops nothing",
        "what carries no id is deduplicated by its name",
        "what is lost in part passes for whole",
        "what is there already is told as applied again",
        "what once failed is never tried again",
        "what was begun is committed also where it failed",
        "who asks again goes to the end of the queue",
        "who frees a place fills it before his own entry",
        "who is chosen is not seated",
        "who need not decide is counted",
        "who sits in another role is not passed over",
        "without a live session it runs all the same",
    )
)
"""What is broken by the edits that the model is to notice."""

if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
