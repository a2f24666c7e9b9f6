"""What a measurement gives: a figure, the bar it is held to, and what was counted beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `least`: the figure must reach the bar; else it must not exceed it."""

    id: str
    what: str
    value: float
    bar: float
    unit: str = "x"
    least: bool = False
    beside: Mapping[str, float] = field(default_factory=dict)
    """Counted figures, and times of this machine, which say nothing about another."""

    @property
    def met(self) -> bool:
        """Whether the figure keeps to its bar."""
        return self.value >= self.bar if self.least else self.value <= self.bar

    def line(self) -> str:
        """The figure as a line of the table, what stands beside it included."""
        sign = ">=" if self.least else "<="
        verdict = "met" if self.met else "MISSED"
        beside = ", ".join(f"{name} {value:,.4g}" for name, value in self.beside.items())
        return f"{self.id:4} {self.value:8.2f} {sign} {self.bar:<6g} {self.unit:3} {verdict:7} {self.what}\n" + (
            f"{'':36}{beside}\n" if beside else ""
        )
