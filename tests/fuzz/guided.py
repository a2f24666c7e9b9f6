"""A fuzzer that follows the coverage of the compiler (atheris, libFuzzer).

`make torture ARGS=fuzz` runs it; the options are those of libFuzzer. An input that fails is left in `tests/cases/fuzz`,
where `make test` looks at it from then on.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

atheris: Any = import_module("atheris")  # no part of the tests that have to run everywhere, and without types

with atheris.instrument_imports(include=["newel.dsl", "newel.compiler"]):
    from tests.fuzz.looking import EMPTY, again, look
    from tests.fuzz.making import grammar_made


class Fed(Random):
    """Dice whose throws the fuzzer chooses."""

    def __new__(cls, data: bytes) -> Fed:
        return super().__new__(cls)

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = atheris.FuzzedDataProvider(data)

    def getrandbits(self, k: int, /) -> int:
        """So many bits of the input."""
        return int(self._data.ConsumeIntInRange(0, (1 << k) - 1))

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A number below a bound; what follows the end of the input is 0, so that every file ends."""
        first, last = (0, start) if stop is None else (start, stop)
        return int(self._data.ConsumeIntInRange(first, last - 1)) // step * step


def one(data: bytes) -> None:
    """The first byte says whether the rest is a file, or the choices by which the grammar makes one."""
    text = data[1:] if data[:1] < b"\x80" else grammar_made(Fed(data[1:])).encode()
    try:
        again(look(text, told=False))
    except Exception:
        (EMPTY / f"guided-{sha256(text).hexdigest()[:8]}.newel").write_bytes(text)
        raise


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
