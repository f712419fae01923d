"""The command ``bazzi``: finds the commands, each in its module, and turns every error into one line and a code."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from . import __version__, errors
from .terminal import complain, drop_output, fit_streams, write

# Where the commands are, as they are listed: "module:attribute" in this package. A module is loaded when one of its
# commands is used, so that the others start quickly; commands of a module that is not there are not listed.
COMMANDS = (
    (
        "The box",
        {
            "install": "install_cli:install",
            "doctor": "install_cli:doctor",
            "settings": "install_cli:settings",
            "ports": "sync_cli:ports",
            "sync": "sync_cli:sync",
        },
    ),
    (
        "Matches",
        {
            "matches": "match_cli:matches",
            "show": "match_cli:show",
            "export": "match_cli:export",
            "import": "match_cli:import_",
            "forget": "match_cli:forget",
            "replay": "match_cli:replay",
        },
    ),
    ("Without a box", {"demo": "sim_cli:demo", "sim": "sim_cli:sim"}),
    ("Other", {"bench": "bench_cli:bench", "completion": "cli:completion"}),
)

EXAMPLES = (
    ("bazzi demo", "play a short match in this terminal, no box needed"),
    ("bazzi sync", "fetch the matches of the box that is plugged in"),
    ("bazzi show last", "the score sheet of the newest match"),
    ("bazzi export --format csv --out all.csv", "every deal of every match, for a spreadsheet"),
    ("bazzi replay game.jsonl --json", "check a match log and reckon its score"),
)

PIPE_CODE = 141  # as a program that the signal of a broken pipe ends
SHELLS = ("bash", "zsh", "fish")
COMPLETE_VARIABLE = "_BAZZI_COMPLETE"


class PipeClosed(Exception):
    """Whoever read our output wants no more of it."""


class Interrupted(Exception):
    """Ctrl-C."""


@contextmanager
def _before_click() -> Iterator[None]:
    """Take a closed pipe and Ctrl-C before click does, which would end with code 1 or say an empty line."""
    try:
        yield
    except BrokenPipeError:
        raise PipeClosed from None
    except KeyboardInterrupt:
        raise Interrupted from None


class LazyGroup(click.Group):
    """The commands of COMMANDS, each imported when it is used."""

    def _places(self) -> dict[str, str]:
        return {name: place for _, commands in COMMANDS for name, place in commands.items()}

    def list_commands(self, context: click.Context) -> list[str]:
        return [name for name, place in self._places().items() if self._there(place)]

    @staticmethod
    def _there(place: str) -> bool:
        return importlib.util.find_spec("." + place.partition(":")[0], __package__) is not None

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        place = self._places().get(name)
        if place is None or not self._there(place):
            return None
        module, _, attribute = place.partition(":")
        return getattr(importlib.import_module("." + module, __package__), attribute)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _before_click():
            return super().make_context(*arguments, **more)

    def invoke(self, context: click.Context) -> Any:
        with _before_click():
            return super().invoke(context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        there = self.list_commands(context)
        widest = max(len(name) for name in there)
        for title, commands in COMMANDS:
            rows = []
            for name in commands:
                command = self.get_command(context, name) if name in there else None
                if command is not None:
                    rows.append((name.ljust(widest), command.get_short_help_str(formatter.width - widest - 6)))
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        there = self.list_commands(context)
        with formatter.section("Examples"):
            formatter.write_dl([row for row in EXAMPLES if row[0].split()[1] in there])
        with formatter.section("Exit codes"):
            formatter.write_dl(exit_codes())


def exit_codes() -> list[tuple[str, str]]:
    """Return each exit code and what it means, from the table in ``errors`` and the one of a closed pipe."""
    lines = [line.split(maxsplit=1) for line in (errors.__doc__ or "").splitlines()]
    found = [(code, meaning) for code, meaning in (line for line in lines if len(line) == 2) if code.isdecimal()]
    return [*found, (str(PIPE_CODE), "the program that read the output stopped reading (nothing is said)")]


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
    no_args_is_help=False,
)
@click.version_option(__version__, "-V", "--version", message="bazzi %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Bazzi keeps the score at a card table: a small box, and this program for the laptop.

    The box keeps every match it was used for. This program puts Bazzi on the box, fetches its matches into an
    archive, shows and exports them, and runs the same application without a box.

    'bazzi COMMAND --help' says more about a command. MATCH is an id, the beginning of one, a number of
    'bazzi matches', or 'last'.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes bazzi's commands in a shell.

    \b
    bash  eval "$(bazzi completion bash)"   in ~/.bashrc (bash 4.4 or newer)
    zsh   eval "$(bazzi completion zsh)"    in ~/.zshrc, after compinit
    fish  bazzi completion fish > ~/.config/fish/completions/bazzi.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(cli, {}, "bazzi", COMPLETE_VARIABLE)
    write((script.source_template % script.source_vars()).encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: the program's own) and return the exit code.

    Whatever goes wrong is one line on standard error; BAZZI_DEBUG in the environment shows faults in full.
    """
    fit_streams()
    code = _run(arguments)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        return PIPE_CODE
    except OSError as error:
        drop_output()
        complain(f"bazzi: the output cannot be written: {(error.strerror or str(error)).lower()}")
        return errors.ArchiveError.exit_code
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        found = cli.main(arguments, "bazzi", COMPLETE_VARIABLE, standalone_mode=False)
        return found if type(found) is int else 0
    except PipeClosed:
        drop_output()
        return PIPE_CODE
    except errors.BazziError as error:
        complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        complain(_usage(error))
        return errors.InputError.exit_code
    except click.Abort as error:  # from a question to the person
        click.echo(err=True)
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            return _interrupted()
        complain("bazzi: a question was not answered, nothing was done; possible: --yes, or y or n")
        return errors.InputError.exit_code
    except (Interrupted, KeyboardInterrupt):
        return _interrupted()
    except OSError as error:
        if error.filename is None:
            drop_output()
            complain(f"bazzi: the output cannot be written: {(error.strerror or str(error)).lower()}")
            return errors.ArchiveError.exit_code
        return _fault(error)
    except Exception as error:
        return _fault(error)


def _interrupted() -> int:
    complain("bazzi: interrupted")
    return 130


def _usage(error: click.ClickException) -> str:
    """Return a mistake on the command line as one line that says where to read on."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "bazzi"
    if message and message[-1] not in ".?!":
        message += "."
    return f"bazzi: {message} See '{command} --help'."


def _fault(error: Exception) -> int:
    if os.environ.get("BAZZI_DEBUG"):
        raise error
    place = ""
    trace = error.__traceback__
    while trace is not None:
        place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    complain(
        f"bazzi: a fault in Bazzi itself ({type(error).__name__}: {error}; {place});"
        " please report it, with what BAZZI_DEBUG=1 shows"
    )
    return errors.BazziError.exit_code
