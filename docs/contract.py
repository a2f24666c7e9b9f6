"""The lines of the contract to a page: what each promises, the tests that show it, the edits those tests catch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docs.names import slug

from tests.promises.edits import edits
from tests.promises.lines import families, shown


def contract() -> Iterator[str]:
    """Every line, by family."""
    broken: dict[str, list[str]] = {}
    for edit in edits():
        broken.setdefault(edit.line, []).append(edit.why)
    count, changes = sum(map(_count, shown().values())), sum(map(len, broken.values()))
    yield "# The contract, line by line\n"
    yield "What Newel promises, the tests that show it, and how it is known that they do. The name of a test begins"
    yield "with its line, after `test`. For each line the source is broken on purpose, and one of those very tests must"
    yield f"fail: `make torture ARGS=promises` makes all {changes} edits, each in a copy of the project. {count} tests"
    yield "bear the name of a line; their files are under `tests/`. In connected words, with what is *not* promised:"
    yield "[what is promised, and what is not](../explanation/promises.md).\n"
    for family in families():
        yield f"- [{family.title}](#{slug(family.title)}): {', '.join(family.lines)}"
    for family in families():
        yield f"\n## {family.title}"
        if not family.edits:
            yield "\nMeasures, not lines: they are run at full size by `make torture` and `make bench`."
        for line, says in family.lines.items():
            yield f"\n### {line}\n\n{says}\n"
            if line in broken:
                yield f"*Broken on purpose, and noticed:* {'; '.join(broken[line])}.\n"
            yield from _listed(shown().get(line.lower(), {}))


def _count(files: Mapping[str, list[str]]) -> int:
    return sum(map(len, files.values()))


def _listed(files: Mapping[str, list[str]]) -> Iterator[str]:
    """The tests of a line, folded: most readers want to know that there are some."""
    count = _count(files)
    of_files = "one file" if len(files) == 1 else f"{len(files)} files"
    yield f"<details>\n<summary>{count} test{'s' if count > 1 else ''} in {of_files}</summary>\n"
    for file, names in files.items():
        yield f"- `{file}`: {', '.join(f'`{name}`' for name in names)}"
    yield "\n</details>"
