"""What a short file may become: each limit holds at its size and is a finding one above, and time stays bounded."""

from __future__ import annotations

import time

import pytest

from newel.compiler import check_text, limits


def codes(text: str) -> list[str]:
    return [finding.rule.code for finding in check_text(text).findings if finding.rule.severity == "error"]


def nested(depth: int) -> str:
    """Fragments inside fragments, so deep."""
    pieces = [f"fragment f{number} {{\n  include f{number + 1}\n}}\n" for number in range(1, depth)]
    last = f'fragment f{depth} {{\n  on enter {{ queue_run(reason="x") }}\n}}\n'
    return "".join(pieces) + last + 'workflow w "W" {\n  step a "A" {\n    start\n    include f1\n  }\n}\n'


def test_fragments_nest_so_deep() -> None:
    assert codes(nested(limits.INCLUDE_DEPTH)) == []
    assert codes(nested(limits.INCLUDE_DEPTH + 1)) == ["NW124"]


def included(times: int) -> str:
    """A step that includes a fragment of one statement so many times: two statements each."""
    piece = "fragment f {\n  on enter { clear_decisions }\n}\n"
    body = "    include f\n" * times
    return f'{piece}workflow w "W" {{\n  step a "A" {{\n    start\n{body}  }}\n}}\n'


def test_pieces_add_so_many_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "INCLUDED", 20)
    assert codes(included(10)) == []
    assert codes(included(11)) == ["NW124"]


def doubling(levels: int) -> str:
    """Fragments that each include the next twice."""
    pieces = [f"fragment f{n} {{\n  include f{n + 1}\n  include f{n + 1}\n}}\n" for n in range(levels)]
    last = f"fragment f{levels} {{\n  on enter {{ clear_decisions }}\n}}\n"
    return "".join(pieces) + last + 'workflow w "W" {\n  step a "A" {\n    start\n    include f0\n  }\n}\n'


def expanding(times: int, length: int) -> str:
    """A prompt that names a shared text so many times."""
    names = "      {{t}}\n" * times
    return (
        f'text t "{"x" * length}"\nworkflow w "W" {{\n  step a "A" {{\n    start\n    prompt """\n{names}      """\n'
        "    on enter { auto_start_agent }\n  }\n}\n"
    )


def test_shared_texts_add_so_many_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COPIED", 10 * 100 + 9)
    assert codes(expanding(10, 100)) == []
    assert codes(expanding(11, 100)) == ["NW124"]


def growing(levels: int) -> str:
    """Types whose defaults hold the default of the next one twice."""
    types = [f"type t{n}(a: t{n + 1} = t{n + 1}(), b: t{n + 1} = t{n + 1}())\n" for n in range(levels)]
    return "".join(types) + f'type t{levels}(x: text = "x")\nsetting step s: t0 = t0()\n'


def test_a_default_takes_so_many_characters() -> None:
    assert codes(growing(5)) == []
    assert set(codes(growing(25))) == {"NW124"}


def suggesting(many: int) -> str:
    """As many wrong names as right ones, each like many others."""
    steps = "".join(f'  step step-{n} "S" {{\n    on turn_complete {{ -> stp-{n} }}\n  }}\n' for n in range(many))
    return f'workflow w "W" {{\n{steps}}}\n'


BOMBS = {
    "pieces that double": doubling(31),
    "defaults that double": growing(60),
    "a prompt put into every step": expanding(4000, 150_000),
    "ten thousand wrong names": suggesting(3000),
    "a chain of types": "".join(f"type t{n}(a: t{n + 1}?)\n" for n in range(5000)) + "type t5000(a: text)\n",
    "a circle of types": "".join(f"type t{n}(a: t{(n + 1) % 3000}?)\n" for n in range(3000)),
    "many settings": "".join(f"setting step s{n}: flag\n" for n in range(5000)),
    "an argument used often": "fragment f(t: text) {\n  on enter {\n"
    + "    queue_run(reason=t)\n" * 5000
    + f'  }}\n}}\nworkflow w "W" {{\n  step a "A" {{\n    start\n    include f("{"x" * 150_000}")\n  }}\n}}\n',
    "long lines in every step": f'workflow w "W" {{\n  every step {{\n    prompt "{"x" * 150_000}"\n  }}\n'
    + "".join(f'  step s{n} "S" {{}}\n' for n in range(5000))
    + "}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_a_file_that_would_grow_without_end_is_done_with_in_seconds(text: str) -> None:
    """The bar is far above what it takes, so that a busy machine does not fail it: growth would take hours."""
    began = time.process_time()
    check_text(text)
    assert time.process_time() - began < 20
