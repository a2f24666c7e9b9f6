"""The pairs of `tests/cases/diff` with tasks in them: a service on a real file that is given the new program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from newel.compiler.diff import Version, compare, findings_of_changes, nested
from newel.compiler.files import Project, Reader
from newel.runtime.casting import StaticAgents
from newel.runtime.cli.judged import summary, task_lines
from newel.runtime.handlers import Handlers
from newel.runtime.judging import Judged, Verdict, judge
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import Outcome
from newel.runtime.service import Service

CASES = Path(__file__).parents[1] / "cases" / "diff"
PAIRS = sorted(path.name for path in CASES.iterdir() if path.is_dir())

AGENTS = StaticAgents(
    runner="runner",
    targets={"primary": "runner", "code_reviewer": "rex"},
    candidates=[("ada", ["reviewer"]), ("eve", ["approver"])],
)


def version(case: str, name: str) -> Version:
    """One version of a pair."""
    return Version.of(Reader(Project((CASES / case).resolve())).read([CASES / case / f"{name}.newel"]))


class Crossing:
    """A pair with a service on a file of its own, which runs the old program until it is told otherwise."""

    def __init__(self, case: str, folder: Path, url: str | None = None) -> None:
        self.before, self.after = version(case, "old"), version(case, "new")
        self.old, self.new = self.before.program, self.after.program
        older = CASES / case / "older.newel"
        self.older = version(case, "older").program if older.exists() else None
        self.paged: list[Any] = []
        self.page_works = True
        self.shipped: list[str] = []
        handlers = Handlers()
        handlers.action("page_someone")(self._page)
        handlers.action("ship")(lambda action, context: self.shipped.append(context.task))
        self.ledger = open_ledger(url or f"sqlite:///{folder}/tasks.db?synchronous=NORMAL")
        self.service = Service(self.older or self.old, self.ledger, handlers, agents=AGENTS)

    def _page(self, action: Any, context: Any) -> None:
        if not self.page_works:
            raise ConnectionError("the pager is down")
        self.paged.append(action)

    def stand(self) -> None:
        """A task at every step, called by its workflow and step."""
        for workflow in self.service.program.workflows.values():
            for step in workflow.steps:
                self.service.create(f"{workflow.name}-{step}", workflow=workflow.name, step=step)

    def decide(self, task: str, decider: str, verdict: str = "approved", role: str = "reviewer") -> Outcome:
        """A decision of an agent."""
        return self.service.decide(task, role=role, decider=decider, verdict=verdict)

    def judged(self) -> dict[str, Judged]:
        """What is said of each task now."""
        return {each.task: each for each in judge(self.ledger, self.old, self.new)}

    def said(self) -> str:
        """What is said of the pair and its tasks, with revisions by name."""
        found = findings_of_changes(compare(self.old, self.new), self.before, self.after)
        judged = list(self.judged().values())
        worst = max([list(Verdict).index(each.verdict) for each in judged], default=0)
        lines = [*nested(found), *task_lines(judged), summary(worst, [finding for _, finding in found], judged)]
        text = "\n".join(lines) + "\n"
        for name, program in (("old", self.old), ("older", self.older)):
            text = text.replace(program.revision[:8], name) if program else text
        return text

    def grade(self) -> str:
        """What is said of the pair without a look at tasks."""
        severities = {change.rule.severity for change in compare(self.old, self.new)}
        return "breaks" if "error" in severities else "needs_mapping" if "warning" in severities else "compatible"

    def there(self, task: str) -> bool:
        """Whether the new program has the step where a task stands."""
        at = self.service.task(task)
        workflow = self.new.workflows.get(at.workflow or "")
        return at.step is None or (workflow is not None and at.step in workflow.steps)

    def turn(self, task: str, **more: Any) -> tuple[str, str | None]:
        """What a finished turn would come to."""
        outcome = self.service.handle(task, "turn_complete", evaluate_only=True, **more)
        return outcome.kind.value, outcome.to_step
