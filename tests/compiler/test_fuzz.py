"""R11: whatever stands in a file, the compiler gives findings and nothing else, within two seconds."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.looking import again, look
from tests.fuzz.making import bytes_made, grammar_made

MANY = int(os.environ.get("NEWEL_FUZZ", "1"))
"""So many times the inputs of an ordinary run."""
GRAMMAR_MADE = 2_000
BYTES_MADE = 20_000
CHUNKS = 8

FOUND = Path(__file__).parents[1] / "cases" / "fuzz"


@pytest.mark.slow
@settings(max_examples=GRAMMAR_MADE * MANY, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(st.integers(0, 2**64))
def test_r11_files_made_by_the_grammar(seed: int) -> None:
    compiled = look(grammar_made(Random(seed)), told=seed % 4 == 0)  # noqa: S311 - dice of a test
    if seed % 4 == 0:
        again(compiled)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_r11_files_made_of_bytes(chunk: int) -> None:
    """Other ones each time; what fails is in the message, and belongs into `tests/cases/fuzz`."""
    for _ in range(BYTES_MADE * MANY // CHUNKS):
        seed = int.from_bytes(os.urandom(8))
        data = bytes_made(Random(seed))  # noqa: S311 - dice of a test
        try:
            look(data, told=seed % 8 == 0)
        except BaseException as error:
            error.add_note(f"the input: {data!r}")
            raise


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()), ids=lambda path: path.name)
def test_what_a_fuzzer_found_once_stays_mended(path: Path) -> None:
    again(look(path.read_bytes()))


def test_the_grammar_makes_files_of_which_some_are_right_and_most_are_read() -> None:
    """A fuzzer that only ever meets the first error looks at nothing behind it."""
    looked = [look(grammar_made(Random(seed))) for seed in range(300)]  # noqa: S311 - dice of a test
    codes = {finding.rule.code for each in looked for finding in each.findings}
    unread = sum(any(finding.rule.code < "NW1" for finding in each.findings) for each in looked)
    assert sum(each.program is not None and bool(each.program.workflows) for each in looked) > 10
    assert {code[:3] for code in codes} >= {f"NW{family}" for family in range(8)}
    assert len(codes) > 50
    assert unread < len(looked) // 3
