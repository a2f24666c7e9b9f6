"""Trees to the bound model: every name resolved, every value typed, every piece put where it is included.

What is wrong comes out as findings, and the model holds all that could be bound.
"""

from newel.compiler.bind.binder import bind

__all__ = ["bind"]
