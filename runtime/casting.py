"""Candidates for a role to the one who gets the seat, and agents from configuration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from newel.compiler.config import AgentsConfig
from newel.runtime.errors import NewelError
from newel.runtime.ports import Candidate


class CastNote(StrEnum):
    """What is out of the ordinary about a casting. None of these fails an entry."""

    SELF_REVIEW = "self_review"
    FALLBACK = "fallback"
    UNFILLABLE = "unfillable"
    ERROR = "error"
    NOT_REQUIRED = "not_required"


UNFILLED = frozenset({CastNote.UNFILLABLE, CastNote.ERROR, CastNote.NOT_REQUIRED})
"""Those that leave the seat empty."""


@dataclass(frozen=True, slots=True)
class Casting:
    """Who gets the seat, None for nobody, and what is to be recorded about it."""

    agent: str | None
    note: CastNote | None = None


def cast(candidates: Iterable[Candidate], runner: str | None, seated: Collection[str]) -> Casting:
    """Choose for one role, the same way each time: by (created, id), whoever is stopped or pending left out.

    `runner` works on the task; `seated` sit in its other roles. Somebody who is neither comes first, then one who is at
    least not the runner. The runner as sole candidate reviews himself; he is also who is left where nobody is.
    """
    able = [c.id for c in sorted(candidates, key=lambda c: (c.created, c.id)) if not c.stopped and not c.pending]
    if not able:
        return Casting(None, CastNote.UNFILLABLE) if runner is None else Casting(runner, CastNote.FALLBACK)
    others = [agent for agent in able if agent != runner]
    if not others:
        return Casting(runner, CastNote.SELF_REVIEW)
    return Casting(next((agent for agent in others if agent not in seated), others[0]))


class StaticAgents:
    """Agents written down in advance: one runner for all tasks, an agent for each target, candidates in order."""

    def __init__(
        self,
        runner: str | None = None,
        targets: Mapping[str, str] | None = None,
        candidates: Iterable[tuple[str, Collection[str]]] = (),
    ) -> None:
        """`candidates` are (agent, roles it may be cast for); their order is the order of their creation."""
        self._runner = runner
        self._targets = dict(targets or {})
        self._candidates = tuple((agent, frozenset(roles)) for agent, roles in candidates)

    @classmethod
    def from_config(cls, config: AgentsConfig) -> StaticAgents:
        """The agents of `[tool.newel.agents]`."""
        return cls(config.runner, config.targets, [(c.id, c.roles) for c in config.candidates])

    def candidates(self, role: str) -> Sequence[Candidate]:
        """Whoever may be cast for a role."""
        return [Candidate(agent, created) for created, (agent, roles) in enumerate(self._candidates) if role in roles]

    def runner(self, task: str) -> str | None:  # noqa: ARG002 - one runner for every task
        """The runner."""
        return self._runner

    def target(self, task: str, name: str) -> str:  # noqa: ARG002 - the same for every task
        """The agent behind a target's name; `primary` is the runner unless it is given."""
        agent = self._targets.get(name, self._runner if name == "primary" else None)
        if agent is None:
            raise NewelError(f"nobody is behind the target {name!r}; name an agent in `targets`")
        return agent
