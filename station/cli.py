"""The command `yacht`: finds the subcommand, and turns errors into one sentence and an exit code."""

import errno
import importlib
import io
import sys
import traceback
from typing import Any

import click

from messages.errors import BadInputError, YachtError
from messages.message import Message
from station.commands.language import words
from station.commands.usage import usage_message
from station.environment import settle

COMMANDS: dict[str, str] = {
    "run": "the station: camera, buttons, pages",
    "board": "many tables on one screen, and the club's evening",
    "read": "read dice from pictures, folders and videos",
    "score": "what some dice are worth in every box",
    "rules": "the rule sets, one in words, or a file checked",
    "simulate": "many games played: how scores are distributed, who wins how often",
    "review": "what every decision of a game gave away",
    "hint": "the best holds and boxes, with exact values",
    "value": "the expected final score of optimal play",
    "card": "makes an SD card from which a Pi becomes a station by itself",
    "calibrate": "learn tray, light, dice and lens; print the markers",
    "record": "frames of a camera and what is known of them, into a folder",
    "height": "how high the camera has to hang",
    "doctor": "looks at camera, buttons, disk, database, network",
    "export": "past games as CSV, JSON or a sheet to print",
    "import": "games from before there was a station, from an old score file",
    "replay": "a game from its text: checked, printed, kept, or played on a page",
    "backup": "a copy of all games, also while the station runs",
    "restore": "puts a copy back",
}
"""Subcommand -> the line `yacht --help` prints. Its module station/commands/NAME.py has it as `command`."""

ELSEWHERE = {"board": "board.command", "import": "station.commands.import_scores"}
"""Modules of subcommands that are not called as these: programs of their own, and words of Python."""


class LazyGroup(click.Group):
    """Imports a subcommand's module when it is called, so that `yacht score` never waits for OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order a person meets them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None if there is none."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(ELSEWHERE.get(cmd_name, f"station.commands.{cmd_name}"))
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="yacht-station", prog_name="yacht")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def yacht(*, debug: bool) -> None:
    """Real dice on the table, one live score sheet for the whole room."""
    del debug  # read by main, which must know it even where parsing failed


def run(arguments: list[str], *, debug: bool = False) -> int:
    """Carry out one call.

    debug: the traceback of an error is printed in place of its sentence.
    Returns the exit code: 0 done, 1 could not be done, 2 bad input, 130 interrupted.
    """
    try:
        result: Any = yacht.main(args=arguments, prog_name="yacht", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        _tell(f"yacht: {words(usage_message(error))}", debug=debug)
        return 2
    except (click.Abort, KeyboardInterrupt):
        return 130
    except YachtError as error:
        _tell(f"yacht: {words(error.message)}", debug=debug)
        return 2 if isinstance(error, BadInputError) else 1
    return result if isinstance(result, int) else 0


def main() -> None:
    """Entry point: as `run`; an error nobody foresaw gets a sentence too, its traceback with --debug."""
    settle()
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    if isinstance(sys.stdout, io.TextIOWrapper):  # not closed
        # As standard error does: files may have names, and terminals alphabets, that cannot be printed.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = run(arguments, debug=debug)
    except BrokenPipeError:
        code = 1
    except Exception as error:  # noqa: BLE001 - the last line of defence: a family sees a sentence
        _tell(words(_unforeseen(error)), debug=debug)
        code = 1
    sys.exit(code)


def _unforeseen(error: Exception) -> Message:
    """The sentence for an error that no command knows."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # what is printed goes into a file
        return Message("yacht/no-room")
    return Message("yacht/unforeseen", why=f"{type(error).__name__}: {error}")


def _tell(sentence: str, *, debug: bool) -> None:
    """Say on standard error what went wrong; with debug the traceback of the error that is being handled."""
    if debug:
        traceback.print_exc()
    else:
        click.echo(sentence, err=True)
