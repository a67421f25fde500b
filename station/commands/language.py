"""The language in which `yacht` speaks to people: that of their terminal, if it has a catalogue."""

import os
import sys
from collections.abc import Mapping

import click

from messages.catalogue import DEFAULT, languages, text
from messages.message import Message


def language(environ: Mapping[str, str] = os.environ) -> str:
    """The language of LC_ALL, LC_MESSAGES or LANG, the first that is set (locale(7)); else English.

    >>> language({"LANG": "de_AT.UTF-8"}), language({"LC_ALL": "C", "LANG": "de_DE"})
    ('de', 'en')
    """
    names = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next((name for name in names if name), "")[:2]
    return wanted if wanted in languages() else DEFAULT


def words(message: Message | str) -> str:
    """The message in that language."""
    return text(message, language())


def say(message: Message | str, *, err: bool = False) -> None:
    """Print a message for people."""
    click.echo(words(message), err=err)


def seen_by_a_person() -> bool:
    """Whether standard error is a terminal; a program may have been started without one."""
    return sys.stderr is not None and sys.stderr.isatty()


def say_line(what: str, value: str) -> None:
    """Print one of the lines that a server begins with. what: a key under `yacht/run/what`."""
    click.echo(f"{words(Message(f'yacht/run/what/{what}')):8} {value}")
