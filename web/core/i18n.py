"""The languages of the pages: which one a screen reads, its words for templates and for scripts."""

import json
from datetime import date
from functools import cache
from typing import Any

from babel import Locale
from flask import Flask, current_app, g, has_request_context, request

from messages import catalogue
from messages.message import Message, Value

BROWSER = ("page/", "reason/", "list/")
"""Beginnings of the keys that scripts say."""

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def install(app: Flask, *, default: str) -> None:
    """Let `app` answer in the language of the screen: its choice, else its browser's, else `default`.

    Templates say `t("html/tv/title")`, and write numbers and days with the filters `whole`, `figure`,
    `signed`, `share` and `day`; a dash where there is none. `language` is that of the answer, `languages` has
    what each calls itself.
    """
    app.config["LANGUAGE"] = default
    app.jinja_env.globals.update(t=t)
    app.context_processor(_languages)
    app.jinja_env.filters.update(whole=whole, figure=figure, signed=signed, share=share, day=day)


def _languages() -> dict[str, Any]:
    return {"language": language(), "languages": {each: own_name(each) for each in catalogue.languages()}}


def language() -> str:
    """The language of this answer, as in `lang`: the address may name it, else it is the screen's."""
    if not has_request_context():
        return catalogue.DEFAULT
    if "language" not in g:  # a page of many games asks a thousand times
        g.language = _wished()
    return str(g.language)


def _wished() -> str:
    chosen, there = request.args.get("language", request.cookies.get("language")), catalogue.languages()
    if chosen in there:
        return chosen
    return request.accept_languages.best_match(there) or str(current_app.config["LANGUAGE"])


@cache
def own_name(language: str) -> str:
    """What a language calls itself: "Deutsch", "Français"."""
    return str(Locale.parse(language).get_display_name(language)).capitalize()


def t(key: str, **values: Value) -> str:
    """The words of a key in the language of this screen."""
    return catalogue.text(Message(key, **values), language())


def sentence(message: Message | str) -> str:
    """A message in the language of this screen."""
    return catalogue.text(message, language())


def in_words(value: Value) -> Any:
    """What a message has in it, for programs: messages as words, in lists with their values beside them."""
    if isinstance(value, tuple):
        return [_item(item) for item in value]
    return sentence(value) if isinstance(value, Message) else value


def _item(value: Value) -> Any:
    if not isinstance(value, Message):
        return in_words(value)
    return {"message": sentence(value)} | {name: in_words(each) for name, each in value.items}


@cache
def of_browser(language: str) -> bytes:
    """The entries that scripts say, as JSON. Raises KeyError for a language there is not."""
    entries = catalogue.entries(language).items()
    mine = {key: entry for key, entry in entries if key.startswith(BROWSER)}
    return json.dumps(mine, ensure_ascii=False, separators=(",", ":")).encode()


def whole(value: float | None) -> str:
    """A count."""
    return DASH if value is None else catalogue.decimal(value, "", language())


def figure(value: float | None) -> str:
    """One decimal."""
    return DASH if value is None else catalogue.decimal(value, "0", language())


def signed(value: float) -> str:
    """One decimal, with its sign."""
    return (MINUS if value < 0 else "+") + catalogue.decimal(abs(value), "0", language())


def share(value: float | None) -> str:
    """Per cent of a share from 0 to 1."""
    return DASH if value is None else catalogue.percent(value, language())


def day(value: date) -> str:
    """A day with the name of its month."""
    return catalogue.day(date.fromordinal(value.toordinal()), language())  # a time of day is a date, too
