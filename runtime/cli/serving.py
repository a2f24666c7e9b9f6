"""The options by which a command finds its program and ledger, and the service made of them."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from newel.compiler.config import Config, ConfigError
from newel.compiler.reports.safe import safe
from newel.runtime.cli.common import config, program_of

if TYPE_CHECKING:
    from newel.compiler.program import Program
    from newel.runtime.casting import StaticAgents
    from newel.runtime.handlers import Handlers
    from newel.runtime.ledgers.base import Ledger
    from newel.runtime.ports import Actor
    from newel.runtime.service import Service

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Desk:
    """What every command on a ledger is given."""

    program: tuple[str, ...]
    ledger: str | None
    json: bool
    actor: Actor
    migrate: bool
    settings: Config

    def url(self) -> str:
        """The ledger's URL: the option, else the configuration, whose relative paths begin at its own folder. A bare
        path is an SQLite file, whatever signs it has."""
        from newel.runtime.ledgers.sqlite_url import SCHEME, below, url_of

        given = self.ledger or self.settings.ledger
        if given is None:
            raise click.UsageError(
                "which ledger? Give --ledger sqlite:///PATH, or set `ledger` in newel.toml or [tool.newel]"
            )
        url = given if _is_url(given) else url_of(given)
        if self.ledger is None and url.startswith(SCHEME):
            return below(self.settings.root, url)
        return url

    def file_must_exist(self) -> None:
        """End with 3 where the ledger is an SQLite file that is not there: looking must not create it."""
        from newel.runtime.cli.common import cannot
        from newel.runtime.ledgers.sqlite_url import SCHEME, path_of

        url = self.url()
        if url.startswith(SCHEME) and not (path := path_of(url)).exists():
            cannot(f"there is no ledger '{click.format_filename(path)}'")

    @contextmanager
    def opened(self) -> Iterator[Ledger]:
        """The ledger alone, for looking at it."""
        from newel.runtime import open_ledger

        ledger = open_ledger(self.url(), migrate=self.migrate)
        try:
            yield ledger
        finally:
            ledger.close()

    @contextmanager
    def service(self) -> Iterator[Service]:
        """A service on the program and ledger, with the handlers and agents of the configuration."""
        from newel.runtime import Service

        # all that can be wrong with the program and the configuration is found out before a ledger is made
        program = program_of(self.program, self.settings)
        agents, given = cast_for(program, self.settings), handlers(self.settings)
        self._tell_stray(given, program)
        with self.opened() as ledger:
            service = Service(program, ledger, given, agents=agents)
            try:
                yield service
            finally:
                service.close()

    def _tell_stray(self, given: Handlers, program: Program) -> None:
        """A note for each handler that nothing asks for; where only some files are given, it may be for the others."""
        import logging

        from newel.runtime.handlers import stray

        logging.getLogger("newel.handlers").disabled = True  # the service would say it again
        for line, slip in stray(given, program.vocabulary):
            if slip or not self.program:
                click.echo(f"note: {safe(line)}", err=True)


def _is_url(given: str) -> bool:
    """Whether it begins with a scheme. A colon in the name of a file below a folder makes none."""
    scheme, colon, _ = given.partition(":")
    return bool(colon) and not {os.sep, os.altsep} & set(scheme)


def cast_for(program: Program, settings: Config) -> StaticAgents:
    """The agents of the configuration, none of which has a misspelt role: nobody would ever be cast for it, and the
    runner might review himself instead. A role of another board of the project is no mistake."""
    from difflib import get_close_matches

    from newel.runtime import StaticAgents
    from newel.runtime.quorum import roles

    known = roles(program.vocabulary)
    for candidate in settings.agents.candidates:
        for role in candidate.roles:
            near = get_close_matches(role, known, n=1)
            if role not in known and near:
                hint = f"the program has no role {role!r}; did you mean {near[0]!r}?"
                raise ConfigError(f"`agents.candidates`: `{candidate.id}`: {hint}")
    return StaticAgents.from_config(settings.agents)


def handlers(settings: Config) -> Handlers:
    """The handlers named in the configuration as "module:object", imported from the project's folder."""
    from newel.runtime import Handlers

    if settings.handlers is None:
        return Handlers()
    module, _, name = settings.handlers.partition(":")
    root = str(settings.root)
    if root not in sys.path:
        sys.path.insert(0, root)
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"`handlers`: cannot load `{settings.handlers}`: {error}") from error
    if not isinstance(found, Handlers):
        raise ConfigError(f"`handlers`: `{settings.handlers}` is a {type(found).__name__}, not a `Handlers`")
    return found


def _actor(context: click.Context, parameter: click.Parameter, value: str | None) -> Actor:  # noqa: ARG001 - click's form
    from newel.runtime import Actor

    if value is None:
        return Actor()
    kind, _, name = value.partition(":")
    maker = {"human": Actor.human, "agent": Actor.agent, "system": Actor.system, "integration": Actor.integration}
    if kind not in maker:
        raise click.BadParameter(f"'{kind}' is none of {', '.join(maker)}; write human:ada")
    return maker[kind](name or None)


def desk(command: Callable[P, R]) -> Callable[..., R]:
    """Give a command the options that all commands on a ledger take, as one `Desk`."""

    @click.option(
        "--program",
        multiple=True,
        metavar="PATH",
        type=click.Path(),
        help="Workflow file or folder; else from the configuration.",
    )
    @click.option(
        "--ledger", metavar="URL", help="A URL, or the path of an SQLite file as it is; else from the configuration."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @click.option(
        "--actor", metavar="KIND[:ID]", callback=_actor, help="Who does it: human:ada, agent:..., system, integration."
    )
    @click.option("--migrate", is_flag=True, help="Bring an older schema of the ledger up to date first.")
    @functools.wraps(command)
    def wrapped(
        *args: Any,
        program: tuple[str, ...],
        ledger: str | None,
        as_json: bool,
        actor: Actor,
        migrate: bool,
        **rest: Any,
    ) -> R:
        given = Desk(program, ledger, as_json, actor, migrate, config())
        return command(given, *args, **rest)  # type: ignore[arg-type]  # the desk stands before what click passes

    return wrapped
