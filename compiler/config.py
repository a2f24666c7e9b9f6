"""A project's configuration: `newel.toml`, or `[tool.newel]` in `pyproject.toml`, found upwards from a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, cast, get_args

from newel.compiler.errors import NewelError
from newel.compiler.limits import DEFAULT, Limits
from newel.dsl.findings import Severity


class ConfigError(NewelError):
    """The configuration has a key or value that Newel does not know."""


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """One `[[agents.candidates]]`: an agent and the roles it may be cast for. Created order is file order."""

    id: str
    """The agent's id, as it stands in seats, runs and decisions."""
    roles: tuple[str, ...]
    """The roles it may be cast for."""


@dataclass(frozen=True, slots=True)
class AgentsConfig:
    """`[agents]`: who works, who stands behind each target's name, and who may be cast."""

    runner: str | None = None
    """The agent that works on every task; cast only where nobody else is there."""
    targets: Mapping[str, str] = field(default_factory=dict)
    """The agent behind each target's name: `primary`, `ceo_agent`, `code_reviewer`."""
    candidates: tuple[AgentConfig, ...] = ()
    """The agents that may be cast, the first created first."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a project has set. `root` is the folder nothing is read outside of; `file` is None where nothing was
    found and all is at its default."""

    root: Path
    file: Path | None = None
    paths: tuple[str, ...] = ()
    """The files and folders that a command works on when none is named, relative to the configuration."""
    select: tuple[str, ...] = ()
    """Only these codes are reported, or codes that begin so; they are turned on where they are off."""
    ignore: tuple[str, ...] = ()
    """These codes are not reported, or codes that begin so."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """Another severity for a code, or for codes that begin so: `error`, `warning` or `note`. It turns a code on."""
    per_path_ignore: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Codes that are not reported in some files: by a pattern of their paths from the configuration's folder, in which
    `*` stands for anything: `"legacy/*" = ["NW505"]`."""
    per_path_severity: Mapping[str, Mapping[str, Severity]] = field(default_factory=dict)
    """Another severity in some files: `"legacy/*" = { NW505 = "note" }`. It goes before `severity`; of two patterns
    that fit the later counts."""
    ledger: str | None = None
    """The ledger of `newel task` and `newel ledger`: a URL, percent-encoded, or the path of an SQLite file as it is. A
    relative path begins at the configuration's folder."""
    host_triggers: tuple[str, ...] | None = None
    """The triggers that your host fires; a list under any other is NW703. Left out, none is taken to be missing."""
    agents: AgentsConfig = AgentsConfig()
    """Who may be cast and who is woken, for `newel task` and `newel ledger`."""
    limits: Limits = DEFAULT
    """Lower limits of sizes than the ones that hold by themselves; none can be raised."""
    handlers: str | None = None
    """Your `Handlers`, as `"module:object"`; the module is imported from the folder of the configuration."""


def find_config(start: Path) -> Config:
    """The configuration in force for a folder: the nearest one upwards, else the defaults with that folder as root.

    Raises `ConfigError` for an unknown key, a value of the wrong type, or a file that is no TOML, and `NewelError` for
    one that cannot be read.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        for name in ("newel.toml", "pyproject.toml"):
            file = folder / name
            if file.is_file() and (table := _table(file)) is not None:
                return _config(table, file)
    return Config(root=start.resolve())


def keys_of(file: Path) -> frozenset[str]:
    """The keys that a configuration sets."""
    return frozenset(_table(file) or ())


def _table(file: Path) -> dict[str, Any] | None:
    import tomllib  # not loaded where there is no configuration

    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file.name}: cannot be read: {error}") from error
    except OSError as error:
        raise NewelError(f"{file.name}: cannot be read: {error.strerror}") from error
    if file.name == "newel.toml":
        return data
    table = data.get("tool", {}).get("newel")
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file.name}: `tool.newel` must be a table")
    return table


def _config(table: dict[str, Any], file: Path) -> Config:
    read = _Reader(file.name)
    read.known(table, "", [f.name.replace("_", "-") for f in fields(Config) if f.name not in ("root", "file")])
    config = Config(
        root=file.parent,
        file=file,
        paths=read.texts(table, "paths"),
        select=read.texts(table, "select"),
        ignore=read.texts(table, "ignore"),
        severity=read.severities(table, "severity"),
        per_path_ignore=read.lists(table, "per-path-ignore"),
        per_path_severity={
            pattern: read.severities(inner, pattern)
            for pattern, inner in read.tables(table, "per-path-severity").items()
        },
        ledger=read.text(table, "ledger"),
        agents=_agents(read, table.get("agents", {})),
        limits=_limits(read, table.get("limits", {})),
        handlers=read.text(table, "handlers"),
    )
    if "host-triggers" in table:
        config = replace(config, host_triggers=read.texts(table, "host-triggers"))
    if config.handlers is not None and ":" not in config.handlers:
        raise ConfigError(f'{file.name}: `handlers` is "module:object", not `{config.handlers}`')
    return config


def _limits(read: _Reader, table: object) -> Limits:
    if not isinstance(table, dict):
        raise read.wrong("limits", "a table")
    names = {each.name.replace("_", "-"): each for each in fields(Limits)}
    read.known(table, "limits.", list(names))
    for key, value in table.items():
        most: int = getattr(DEFAULT, names[key].name)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise read.wrong(f"limits.{key}", f"a whole number from 1 to {most}: a limit can be lowered, not raised")
    return Limits(**{names[key].name: value for key, value in table.items()})


def _agents(read: _Reader, table: object) -> AgentsConfig:
    if not isinstance(table, dict):
        raise read.wrong("agents", "a table")
    read.known(table, "agents.", [f.name for f in fields(AgentsConfig)])
    candidates = table.get("candidates", [])
    if not isinstance(candidates, list) or not all(isinstance(entry, dict) for entry in candidates):
        raise read.wrong("agents.candidates", "a list of tables")
    found = []
    for entry in candidates:
        read.known(entry, "agents.candidates.", [f.name for f in fields(AgentConfig)])
        name = read.text(entry, "id")
        if name is None:
            raise ConfigError(f"{read.file}: every `agents.candidates` needs an `id`")
        found.append(AgentConfig(name, read.texts(entry, "roles")))
    return AgentsConfig(read.text(table, "runner"), read.mapping(table, "targets"), tuple(found))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes typed values out of one file's tables."""

    file: str

    def known(self, table: Mapping[str, Any], prefix: str, names: Sequence[str]) -> None:
        for key in table:
            if key not in names:
                import difflib

                near = difflib.get_close_matches(key, names, 1)
                hint = f"did you mean `{prefix}{near[0]}`?" if near else f"known are {', '.join(sorted(names))}"
                raise ConfigError(f"{self.file}: unknown key `{prefix}{key}`: {hint}")

    def wrong(self, key: str, wanted: str) -> ConfigError:
        return ConfigError(f"{self.file}: `{key}` must be {wanted}")

    def text(self, table: Mapping[str, Any], key: str) -> str | None:
        value = table.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self.wrong(key, "a list of texts")
        return tuple(value)

    def mapping(self, table: Mapping[str, Any], key: str) -> dict[str, str]:
        value = table.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(entry, str) for entry in value.values()):
            raise self.wrong(key, "a table of texts")
        return dict(value)

    def severities(self, table: Mapping[str, Any], key: str) -> dict[str, Severity]:
        found = self.mapping(table, key)
        for code, name in found.items():
            if name not in get_args(Severity):
                raise ConfigError(f"{self.file}: `{key}.{code}` is `error`, `warning` or `note`, not `{name}`")
        return cast("dict[str, Severity]", found)

    def lists(self, table: Mapping[str, Any], key: str) -> dict[str, tuple[str, ...]]:
        value = table.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "a table of lists")
        return {inner: self.texts(value, inner) for inner in value}

    def tables(self, table: Mapping[str, Any], key: str) -> dict[str, dict[str, Any]]:
        """Each inner table under its own key, as `severities` and its like want it."""
        value = table.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(inner, dict) for inner in value.values()):
            raise self.wrong(key, "a table of tables")
        return {inner: {inner: found} for inner, found in value.items()}
