"""The command line. Each command imports its heavy modules only when it runs."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from autograder import __version__
from autograder.commands import Exit
from autograder.commands.options import (
    BuildOptions,
    CheckOptions,
    DoctorOptions,
    ExportOptions,
    GradeOptions,
    HintOptions,
    MutantsOptions,
    PlatformBundleOptions,
    ReportOptions,
    ResetOptions,
    ShowOptions,
    StudentBundleOptions,
    WatchOptions,
    command,
)
from autograder.errors import KitError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

_COMMANDS = {
    "watch": WatchOptions,
    "hint": HintOptions,
    "check": CheckOptions,
    "reset": ResetOptions,
    "build": BuildOptions,
    "grade": GradeOptions,
    "export": ExportOptions,
    "report": ReportOptions,
    "show": ShowOptions,
    "mutants": MutantsOptions,
    "doctor": DoctorOptions,
}
_PLATFORMS = {
    "github": "Write a template repository for GitHub, whose workflow runs the public checks.",
    "classroom50": "Write a template repository and the public autograder for Classroom 50.",
    "gitlab": "Write a template repository for GitLab.",
    "gradescope": "Pack the full grader, with the solutions, as Gradescope's autograder.",
}


class _Main(click.Group):
    """Turn errors into a message and an exit code."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run as a program. Its processes import nothing from the current folder, in which submissions may be."""
        os.environ["PYTHONSAFEPATH"] = "1"
        return super().__call__(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            _fail(str(error), Exit.USAGE)
        except KitError as error:
            _fail(f"The grader failed: {error}", Exit.NOT_ALL)
        except BrokenPipeError:  # the reader ended first, as `head` does; click stays silent
            raise
        except OSError as error:
            _fail(f"Stopped: {error}. Results written so far are complete.", Exit.NOT_ALL)
        except KeyboardInterrupt:
            _fail("Stopped.", Exit.INTERRUPTED)


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"autograder: {message}", err=True)
    sys.exit(code)


@click.group(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="self-attention-kit")
def main() -> None:
    """Exercises for self-attention, and the grader for them."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it was closed before the start
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _runner(module: str, *before: str) -> Callable[[Any], int]:
    """Return a function that imports a module of `commands` and calls its `run`."""
    return lambda options: import_module(f"autograder.commands.{module}").run(*before, options)


for _name, _record in _COMMANDS.items():
    main.add_command(command(_name, _record, _runner(_name)))


@main.group()
def bundle() -> None:
    """Pack what somebody needs into one file."""


bundle.add_command(command("student", StudentBundleOptions, _runner("bundle", "student")))
for _name, _words in _PLATFORMS.items():
    bundle.add_command(command(_name, PlatformBundleOptions, _runner("bundle", _name), _words))


if __name__ == "__main__":
    main()
