"""What a scenario puts in the place of a host: agents, a session, and handlers for kinds and guards that have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from newel.compiler.config import AgentsConfig
from newel.compiler.program import Action, Guard, Program
from newel.runtime.handlers import Handlers
from newel.runtime.ports import Candidate, Context
from newel.runtime.quorum import standard
from newel.runtime.standard import STANDARD

RUNNER = "runner"
"""Who works on every task where the configuration names nobody."""

Ask = Callable[[str], bool]
"""The name of a guard to its answer."""


class Cast:
    """Agents for every role and target: those of the configuration; for a role without one, the agents that decide in
    it in the scenario; else one called as the role or target itself. So nothing fails for want of an agent."""

    def __init__(self, config: AgentsConfig, people: Mapping[str, Sequence[str]]) -> None:
        self._config, self._people = config, people

    def candidates(self, role: str) -> Sequence[Candidate]:
        """Whoever may be cast for a role."""
        known = [each.id for each in self._config.candidates if role in each.roles]
        found = known or self._people.get(role) or (role,)
        return [Candidate(agent, created) for created, agent in enumerate(found)]

    def runner(self, task: str) -> str:  # noqa: ARG002 - one runner for every task
        """The runner."""
        return self._config.runner or RUNNER

    def target(self, task: str, name: str) -> str:
        """The agent behind a target's name."""
        return self._config.targets.get(name) or (self.runner(task) if name == "primary" else name)


class LiveSession:
    """A session of every task, which does whatever it is asked to."""

    def live(self, task: str) -> str:
        """Its id."""
        return f"session of {task}"

    def run(self, session: str, action: Action, context: Context) -> None:
        """Do it: where nobody works, that is nothing."""


@dataclass(slots=True)
class StandIns:
    """The handlers of a scenario: the host's own where it is given any; for every other kind one that does nothing, and
    for every other guard the answer that the scenario gives. `unanswered` are the guards asked without one."""

    program: Program
    own: Handlers | None = None
    ask: Ask | None = None
    answers: dict[str, bool] = field(default_factory=dict)
    unanswered: list[str] = field(default_factory=list)

    def handlers(self) -> Handlers:
        """The handlers to make a service with."""
        made, own = Handlers(), self.own or Handlers()
        for kind in self.program.vocabulary.kinds:
            handler = own.find(kind)
            if handler is not None:
                made.action(kind, handler.database)(handler.function)
            elif kind not in STANDARD:
                made.action(kind)(_done)
        for name, definition in self.program.vocabulary.guards.items():
            function = own.find_guard(name)
            if function is not None or standard(definition) is None:
                made.guard(name)(self._guard(name, function))
        return made

    def _guard(self, name: str, own: Callable[[Any, Any], bool] | None) -> Callable[[Guard, Context], bool]:
        def holds(guard: Guard, context: Context) -> bool:
            if name in self.answers:
                return self.answers[name]
            if own is not None:
                return own(guard, context)
            if self.ask is not None:
                return self.ask(name)
            self.unanswered.append(name)
            return False

        return holds


def _done(action: Action, context: Context) -> None:
    """What stands for a kind without a handler: it is taken to have done its work."""
