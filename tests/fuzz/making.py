"""Inputs for the compiler: files made by the grammar out of the vocabulary's words, and files whose bytes are damaged.

Whatever makes the choices - hypothesis, a coverage-guided fuzzer, dice - is handed in as a `Random`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
SEEDS = tuple(
    path.read_bytes()
    for folder in ("examples", "grammars", "tests/cases/ok", "tests/cases/syntax", "tests/cases/err")
    for path in sorted((ROOT / folder).glob("*.newel"))
)
"""Right and wrong files, to be damaged further."""

STEPS: tuple[str, ...] = ("a", "b", "done", "next", "previous", "on", "step", "gone")
TRIGGERS: tuple[str, ...] = (
    "enter",
    "exit",
    "turn_start",
    "turn_complete",
    "comment",
    "heartbeat",
    "event",
    "agent_error",
    "paid",
    "x",
)
KINDS: tuple[str, ...] = (
    "clear_decisions",
    "queue_run",
    "ensure_participant_seat",
    "queue_run_for_each_participant",
    "run_script",
)
KINDS += ("auto_start_agent", "configure_session", "run_code_review", "disable_plan_mode", "own", "when", "dance")
GUARDS: tuple[str, ...] = ("all_approve", "any_reject", "n_approve", "majority_approve", "warm", "not", "nobody")
SETTINGS: tuple[str, ...] = (
    "start",
    "end",
    "prompt",
    "color",
    "wip_limit",
    "pull_from",
    "seats",
    "agent",
    "stage",
    "manual_move",
    "mine",
)
TYPES: tuple[str, ...] = (
    "text",
    "int",
    "number",
    "flag",
    "duration",
    "step",
    "workflow",
    "map",
    "role",
    "target",
    "own-type",
    "nope",
)
ROLES: tuple[str, ...] = ("reviewer", "approver", "judge", "role", "boss")
FIELDS: tuple[str, ...] = ("role", "reason", "target", "count", "payload", "task", "agent", "id", "x", "when")
MARKS: tuple[str, ...] = (
    "starts",
    "wakes",
    "wakes(role)",
    "seats(role)",
    "clears",
    "approval(role, count)",
    "person",
    "clock",
    "limit",
)
MARKS += ("pull", "signal", "prompt", "session", "nothing", "work_done", "in_turn")
TEXTS: tuple[str, ...] = (
    '"t"',
    '""',
    '"{{task_prompt}}"',
    '"a\\nb"',
    '"task:{id}[:{x}]"',
    '"f.newel"',
    '"""\n  {{own}}\n  x\n  """',
)
WORDS: tuple[str, ...] = ("1", "-2.5", "15m", "9s", "true", "false", "null", "this", "primary")


RIGHT = (
    'prompt """\n      Do {{task_prompt}}\n      """\n    on enter { auto_start_agent }\n',
    "on enter {\n clear_decisions\n ensure_participant_seat(reviewer)\n queue_run_for_each_participant(reviewer)\n}\n",
    "on turn_complete {\n -> done when all_approve(reviewer)\n -> a when any_reject(reviewer)\n}\n",
    "on turn_complete { -> done requires approval when n_approve(reviewer, count=2) or not all_decide(approver) }\n",
    'on comment { queue_run(participant(reviewer), reason="x", payload={a: [1, null], "b c": 2.5}) }\n',
    "on turn_start { -> done }\n",
    'seats [seat(role=reviewer, agent="ben"), seat(role=approver, agent="eve", required=false)]\n',
    'agent("C", model="m")\n wip_limit 3\n pull_from done\n heartbeat_every 9s\n on heartbeat { queue_run }\n',
    'on enter { configure_session([set("A", options={x: "y"}), keep("B")]) }\n',
    "include f\n",
)
"""Parts of a step that fit one another, where no trigger is written twice."""


class Maker:
    """Makes one file; `dice` decides."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.room = 120

    def file(self) -> str:
        """A whole file."""
        if self.chance(3):
            return self.right()
        head = ["use nothing\n"] if self.chance(6) else []
        makers = [self.workflow, self.workflow, self.declaration, self.declaration, self.fragment, self.scenario]
        return "".join([*head, *(self.one(makers)() + "\n" for _ in range(self.some(5) + 1))])

    def right(self) -> str:
        """A file of which most is right, for what comes after the checks."""
        piece = "fragment f {\n on agent_error { queue_run(ceo_agent) }\n}\n"
        steps = ["".join(self.dice.sample(RIGHT, self.dice.randrange(4))) for _ in "ab"]
        bodies = "".join(f"step {name} {{\n{body}}}\n" for name, body in zip("ab", steps, strict=True))
        start = self.word(("step a {\n", "step b {\n"))
        started = bodies.replace(start, f"{start} start\n", 1)
        return f'{piece}workflow w "W" {{\n{started}step done {{ end }}\n}}\n'

    # ------------------------------------------------------------ choosing

    def one(self, choices: list[Callable[[], str]] | tuple[Callable[[], str], ...]) -> Callable[[], str]:
        return choices[self.dice.randrange(len(choices))]

    def word(self, *families: tuple[str, ...]) -> str:
        family = families[self.dice.randrange(len(families))]
        return family[self.dice.randrange(len(family))]

    def some(self, most: int) -> int:
        """A number that shrinks as the file grows."""
        self.room -= 1
        return self.dice.randrange(most + 1) if self.room > 0 else 0

    def chance(self, one_in: int) -> bool:
        return self.dice.randrange(one_in) == 0

    def many(self, make: Callable[[], str], most: int, between: str = ", ") -> str:
        return between.join(make() for _ in range(self.some(most)))

    # ------------------------------------------------------------ values

    def value(self) -> str:
        if self.room <= 0 or not self.chance(4):
            return self.word(TEXTS, WORDS, ROLES, STEPS)
        kind = self.dice.randrange(3)
        if kind == 0:
            return f"[{self.many(self.value, 3)}]"
        if kind == 1:
            return "{" + self.many(lambda: f"{self.word(FIELDS, TEXTS[:2])}: {self.value()}", 3) + "}"
        return self.word(ROLES, ("participant", "agent", "task", "seat", "set", "agent_profile")) + self.arguments()

    def argument(self) -> str:
        return self.value() if self.chance(3) else f"{self.word(FIELDS)}={self.value()}"

    def arguments(self) -> str:
        return f"({self.many(self.argument, 3)})" if self.chance(2) else ""

    def type(self) -> str:
        name = self.word(TYPES, ("list", "map", "int", "duration"))
        inside = self.word(("(1..)", "(0..3)", "(1s..24h)", "(text)", "(9..1)", f"({self.word(TYPES)})", ""))
        return name + (inside if self.chance(2) else "") + ("?" if self.chance(4) else "")

    def parameter(self) -> str:
        default = f" = {self.value()}" if self.chance(3) else ""
        return f"{self.word(FIELDS)}: {self.type()}{default}"

    def parameters(self) -> str:
        return f"({self.many(self.parameter, 3)})" if self.chance(2) else ""

    def means(self) -> str:
        return f" means {self.word(MARKS)}" if self.chance(3) else ""

    # ------------------------------------------------------------ declarations

    def declaration(self) -> str:
        return self.one(
            (
                lambda: f"type {self.word(TYPES, ROLES)} = {self.cases()}",
                lambda: f"type {self.word(TYPES, ROLES)}({self.many(self.parameter, 3)})",
                lambda: f"extend type {self.word(TYPES, ROLES)} = {self.cases()}",
                lambda: (
                    f"setting {self.word(('step', 'workflow', 'x'))} {self.word(SETTINGS)}: {self.type()}{self.means()}"
                ),
                lambda: f"trigger {self.word(TRIGGERS)}{self.parameters()}{self.operation()}{self.means()}",
                lambda: (
                    f"group {self.word(('more', 'event'))} = {' | '.join([self.word(TRIGGERS), self.word(TRIGGERS)])}"
                ),
                lambda: f"moves {self.word(('', 'guarded '))}on {self.word(TRIGGERS)}{self.means()}",
                lambda: f"guard {self.word(GUARDS)}{self.parameters()}{self.means()}",
                lambda: f"action {self.word(KINDS)}{self.parameters()} on {self.word(TRIGGERS)}{self.means()}",
                lambda: f"{self.word(('dispatch', 'exclude'))} {{ {self.many(lambda: self.word(KINDS), 3)} }}",
                lambda: f"key {self.word(FIELDS)}{self.parameters()} {self.word(TEXTS[:6])}",
                lambda: f"text {self.word(('own', 'other'))} {self.word(TEXTS)}",
                lambda: f"text own file {self.word(TEXTS[:6])}",
                lambda: f"placeholder {self.word(('own', 'task_prompt'))}",
                lambda: f"use {self.word(TEXTS[:6])}",
                lambda: "## about\n# newel: allow NW705 because it may",
            )
        )()

    def cases(self) -> str:
        return " | ".join(self.word(ROLES) + self.parameters() for _ in range(self.some(3) + 1))

    def operation(self) -> str:
        return f" operation {self.word(('', 'edge '))}{self.word(TEXTS[:6])}" if self.chance(2) else ""

    # ------------------------------------------------------------ workflows

    def workflow(self) -> str:
        every = f"  every step {{\n{self.body()}  }}\n" if self.chance(4) else ""
        steps = "".join(self.step() for _ in range(self.some(4) + 1))
        setting = f"  {self.word(SETTINGS)} {self.value()}\n" if self.chance(4) else ""
        return f"workflow {self.word(('w', 'v'))} {self.word(TEXTS[:2])} {{\n{setting}{every}{steps}}}\n"

    def step(self) -> str:
        return f"  step {self.word(STEPS)} {self.word(TEXTS[:2])} {{\n{self.body()}  }}\n"

    def fragment(self) -> str:
        return f"fragment {self.word(('f', 'g'))}{self.parameters()} {{\n{self.body()}}}\n"

    def body(self) -> str:
        return "".join(self.one((self.setting, self.on, self.on, self.include))() for _ in range(self.some(5)))

    def setting(self) -> str:
        return f"    {self.word(SETTINGS)}{self.word((' ' + self.value(), self.arguments(), ''))}\n"

    def include(self) -> str:
        return f"    include {self.word(('f', 'g', 'h'))}{self.arguments()}\n"

    def on(self) -> str:
        lines = "".join(self.one((self.call, self.move))() for _ in range(self.some(4)))
        return f"    on {self.word(TRIGGERS)} {{\n{lines}    }}\n"

    def call(self) -> str:
        return f"      {self.word(KINDS)}{self.arguments()}\n"

    def move(self) -> str:
        approval = " requires approval" if self.chance(4) else ""
        guard = f" when {self.guard()}" if self.chance(2) else ""
        return f"      -> {self.word(STEPS)}{approval}{guard}\n"

    def guard(self) -> str:
        asked = self.word(GUARDS) + self.word((f"({self.word(ROLES)})", self.arguments()))
        if self.some(3) and self.chance(2):
            joined = f"{asked} {self.word(('and', 'or'))} {self.guard()}"
            return f"({joined})" if self.chance(2) else joined
        return f"not {asked}" if self.chance(4) else asked

    def scenario(self) -> str:
        words: tuple[str, ...] = (
            "create",
            "fire turn_complete",
            "decide ben approved role=reviewer",
            "expect at a",
            "expect nothing",
        )
        words += ("move b", "approve", "switch v", "redispatch", "seat ben role=reviewer", "expect queued 1", "dance")
        lines = "".join(f"  {self.word(words)}\n" for _ in range(self.some(5)))
        return f"scenario {self.word(TEXTS[:3])} for {self.word(('w', 'v', 'x'))} {{\n{lines}}}\n"


def grammar_made(dice: Random) -> str:
    """A file that follows the grammar, of words of which many fit."""
    return Maker(dice).file()


SPLICES: tuple[bytes, ...] = (
    b"{",
    b"}",
    b"(",
    b")",
    b'"',
    b'"""',
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"->",
    b"when ",
)
SPLICES += (
    b"step ",
    b"workflow w {\n",
    b"include f\n",
    b"use nothing\n",
    b"#",
    b"##",
    b"{{",
    b"[",
    b"\xe2\x80\xa8",
    b" ",
)


def bytes_made(dice: Random) -> bytes:
    """A file with some of its bytes deleted, doubled, changed or put elsewhere; now and then bytes out of nothing."""
    if dice.randrange(20) == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(200)))
    data = bytearray(SEEDS[dice.randrange(len(SEEDS))])
    if len(data) > 3000:
        start = dice.randrange(len(data) - 3000)
        data = data[start : start + 3000]
    for _ in range(dice.randrange(6) + 1):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.randrange(40))
        kind = dice.randrange(5)
        if kind == 0:
            del data[at:end]
        elif kind == 1:
            data[at:at] = SPLICES[dice.randrange(len(SPLICES))]
        elif kind == 2 and at < len(data):
            data[at] = dice.randrange(256)
        elif kind == 3:
            data[at:at] = data[at:end] * (dice.randrange(4) + 1)
        else:
            other = SEEDS[dice.randrange(len(SEEDS))]
            cut = dice.randrange(len(other) + 1)
            data[at:end] = other[cut : cut + dice.randrange(80)]
    return bytes(data)
