"""The `Agents` port to answers that a transaction can use: asked before it begins, each question once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from newel.dsl.slotted import settled
from newel.runtime.errors import BadArgument, NotWired
from newel.runtime.known import id_flaw
from newel.runtime.ports import Agents, Candidate


class Question(NamedTuple):
    """One call of the port; `name` is the role or the target's name, `task` the one it is about, if any."""

    about: Literal["candidates", "runner", "target"]
    name: str = ""
    task: str = ""


@settled
class Answers:
    """What the port said, or raised, to each question. What it raised is raised where the answer is needed."""

    given: dict[Question, Any]

    def candidates(self, role: str) -> Sequence[Candidate]:
        """The agents that may play a role."""
        found: Sequence[Candidate] = self._answer(Question("candidates", role))
        return found

    def runner(self, task: str) -> str | None:
        """The agent that works on a task, if any."""
        found: str | None = self._answer(Question("runner", task=task))
        return found

    def target(self, task: str, name: str) -> str:
        """The agent behind a target's name."""
        found: str = self._answer(Question("target", name, task))
        return found

    def _answer(self, question: Question) -> Any:
        answer = self.given[question]
        if isinstance(answer, Exception):
            raise answer
        return answer


NO_ANSWERS = Answers({})
"""Where nothing was asked."""


def ask(agents: Agents | None, questions: Iterable[Question]) -> Answers:
    """Ask each question once. An `Exception` is kept as the answer; anything else passes."""
    given: dict[Question, Any] = {}
    for question in questions:
        if question not in given:
            try:
                given[question] = _put(agents, question)
            except Exception as error:
                given[question] = error
    return Answers(given)


def _put(agents: Agents | None, question: Question) -> Any:
    if agents is None:
        raise NotWired("the service has no agents; give it some with set_agents")
    if question.about == "candidates":
        return tuple(map(_named, agents.candidates(question.name)))
    if question.about == "runner":
        return _runner(agents.runner(question.task))
    agent: object = agents.target(question.task, question.name)
    if not isinstance(agent, str) or not agent:
        raise NotWired(f"nobody is behind the target {question.name!r}")
    return _fit(agent, f"who is behind the target {question.name!r}")


def _fit(agent: str, whose: str) -> str:
    """An id that every ledger can hold."""
    if found := id_flaw(str.__str__(agent)):
        raise BadArgument(f"the id of {whose} must be {found.wanted}; {found.advice}")
    return agent


def _named(candidate: Candidate) -> Candidate:
    named: object = candidate.id
    if not isinstance(named, str) or not named:
        raise TypeError(f"a candidate's id is a text and not blank: {named!r} is none")
    _fit(named, "a candidate")
    return candidate


def _runner(answer: object) -> str | None:
    """A blank id is that of nobody."""
    if answer is not None and not isinstance(answer, str):
        raise TypeError(f"a runner's id is a text, not {answer!r}")
    return _fit(answer, "the runner") if answer else None
