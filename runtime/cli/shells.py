"""A line as each shell hands it in, to what may follow in the form that it takes."""

from __future__ import annotations

from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete


class _Joined(ShellComplete):
    """Takes an option with its value behind `=`: bash hands the sign in as a word of its own, the others hand in all
    of it as one word, and want it back as one."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        option, sign, _ = incomplete.partition("=")
        words = [word for word in args if word != "="]
        self.ctx_args = {**self.ctx_args, "obj": words}
        found = super().get_completions(words, incomplete)
        if option.startswith("--") and sign:
            for item in found:
                item.value = f"{option}={item.value}" if item.type == "plain" else item.value
        return found


class Bash(_Joined, BashComplete):
    """For bash."""


class Fish(_Joined, FishComplete):
    """For fish."""


class Zsh(_Joined, ZshComplete):
    """For zsh."""


KINDS: dict[str, type[ShellComplete]] = {"bash": Bash, "fish": Fish, "zsh": Zsh}
"""By shell."""
