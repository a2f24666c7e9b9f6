"""The `newel` command. `main` is its entry point; every command's module is loaded when it is asked for."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        # asked by scripts over and over; worth not loading the rest
        from newel.compiler.version import __version__

        sys.stdout.write(f"newel {__version__}\n")
        return
    try:
        import gc

        # a command makes much and drops little: a collector at its defaults takes a tenth of a short one's time, and as
        # much again at the end, when it looks at everything that goes anyway
        gc.set_threshold(50_000, 20, 100)
        from newel.runtime.cli.app import run

        try:
            code = run()
        finally:
            gc.freeze()
    except KeyboardInterrupt:  # while the command was still being loaded, or was on its way out
        from newel.runtime.cli.interrupting import interrupted

        code = interrupted()
    sys.exit(code)
