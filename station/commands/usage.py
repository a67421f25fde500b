"""Usage errors of `yacht` in the language of the terminal; `click` has English only."""

from typing import Any

import click
from click.exceptions import NoSuchCommand

from messages.message import Message, Value


def usage_message(error: click.ClickException) -> Message:
    """The sentence, with a pointer to the help; in click's own words for errors unknown here."""
    what = _what(error)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return Message("yacht/usage/alone", what=what)
    return Message("yacht/usage/see", what=what, command=context.command_path)


def _what(error: click.ClickException) -> Value:  # noqa: PLR0911 - one for each kind
    match error:
        case NoSuchCommand():
            return Message("yacht/usage/command", name=error.command_name)
        case click.NoSuchOption(possibilities=[*near]) if near:
            return Message("yacht/usage/option-near", name=error.option_name, near=tuple(near))
        case click.NoSuchOption():
            return Message("yacht/usage/option", name=error.option_name)
        case click.MissingParameter(param=click.Parameter() as param):
            option = isinstance(param, click.Option)
            key = "yacht/usage/missing-option" if option else "yacht/usage/missing-argument"
            return Message(key, name=_name(param))
        case click.BadOptionUsage() if "requires" in error.message:  # else one was given that takes none
            return Message("yacht/usage/value", name=error.option_name)
        case click.BadParameter(param=click.Parameter() as param):
            why = _wanted(param.type) or error.message.rstrip(".")
            return Message("yacht/usage/wrong", name=_name(param), why=why)
        case _:
            return error.format_message().rstrip(".")


def _name(param: click.Parameter) -> str:
    return " / ".join(param.opts) if isinstance(param, click.Option) else param.human_readable_name


def _wanted(kind: click.ParamType[Any]) -> Message | None:
    """The expected kind of value, in words; None where only click knows."""
    match kind:
        case click.Choice():
            return Message("yacht/usage/one-of", choices=tuple(map(str, kind.choices)))
        case click.IntRange() | click.FloatRange() if kind.min is not None and kind.max is not None:
            return Message("yacht/usage/between", least=kind.min, most=kind.max)
        case click.IntRange() | click.FloatRange() if kind.min is not None:
            return Message("yacht/usage/at-least", least=kind.min)
        case click.types.IntParamType() | click.types.FloatParamType():
            return Message("yacht/usage/number")
        case _:
            return None
