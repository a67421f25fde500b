"""The languages of the pages: which one a screen reads, its words for templates and for scripts.

The station composes some sentences in English still ("Ben: throw all five dice"). `said` finds the catalogue
entry a sentence was composed with ("{name}: {what}") and says it in the reader's language; what it does
not find stays English. Names of players are never translated.
"""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from babel.support import NullTranslations, Translations
from flask import Flask, current_app, has_request_context, request

from messages import catalogue as words
from messages.message import Message, Value

FOLDER = Path(__file__).parent.parent / "translations"
LANGUAGES = ("en", "de")
AND = "{list} and {last}"
"""How the station lists things."""

BROWSER = ("page/", "reason/")
"""Beginnings of the keys that scripts say."""

DASH = "\N{EN DASH}"


def install(app: Flask, *, default: str) -> None:
    """Let `app` answer in the language of the screen: its choice, else its browser's, else `default`.

    Templates say `t("html/tv/title")`, and write numbers and days with the filters `figure`, `signed`,
    `share` and `day`; a dash where there is none.
    """
    app.config["LANGUAGE"] = default
    app.jinja_env.globals.update(t=t)
    app.jinja_env.filters.update(figure=figure, signed=signed, share=share, day=day)


def language() -> str:
    """The language of this answer, as in `lang`."""
    if not has_request_context():
        return words.DEFAULT
    chosen, there = request.cookies.get("language"), words.languages()
    if chosen in there:
        return chosen
    return request.accept_languages.best_match(there) or str(current_app.config["LANGUAGE"])


def t(key: str, **values: Value) -> str:
    """The words of a key in the language of this screen."""
    return words.text(Message(key, **values), language())


def tell(message: Message | str) -> str:
    """A message in the language of this screen."""
    return said(words.text(message, language()))


def told(value: Value) -> Any:
    """What a message has in it, for programs: messages as words, lists as lists."""
    if isinstance(value, tuple):
        return [told(item) for item in value]
    return tell(value) if isinstance(value, Message) else value


@cache
def of_browser(language: str) -> bytes:
    """The entries that scripts say, as JSON. Raises KeyError for a language there is not."""
    entries = words.entries(language).items()
    mine = {key: entry for key, entry in entries if key.startswith(BROWSER)}
    return json.dumps(mine, ensure_ascii=False, separators=(",", ":")).encode()


def whole(value: float | None) -> str:
    """A count."""
    return DASH if value is None else str(round(value))


def figure(value: float | None) -> str:
    """One decimal."""
    return DASH if value is None else str(format_decimal(value, "#,##0.0", locale=language()))


def signed(value: float) -> str:
    """One decimal, with its sign."""
    return str(format_decimal(value, "+#,##0.0;-#,##0.0", locale=language()))


def share(value: float | None) -> str:
    """Per cent of a share from 0 to 1."""
    return DASH if value is None else str(format_percent(value, locale=language()))


def day(value: date) -> str:
    """A day with the name of its month."""
    return str(format_date(value, "long", locale=language()))


@cache
def _translations(language: str) -> NullTranslations:
    return Translations.load(str(FOLDER), [language])


@cache
def catalogue(language: str) -> dict[str, Any]:
    """All sentences of a language: text, or [one, many] where the number matters."""
    found: dict[str, Any] = {}
    for key, text in getattr(_translations(language), "_catalog", {}).items():
        if isinstance(key, tuple):
            forms = found.setdefault(key[0], ["", ""])
            forms[min(key[1], 1)] = text
        elif key and key not in found:
            found[key] = text
    return found


def _weight(phrase: str) -> int:
    """Letters of its own; a mere list comes after everything that might contain one."""
    return 0 if phrase == AND else len(re.sub(r"\{\w+\}", "", phrase))


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    patterns = []
    # The phrase with the most letters of its own is the one a sentence was made from.
    found = sorted(catalogue(language).items(), key=lambda entry: _weight(entry[0]), reverse=True)
    for key, text in found:
        if "{" in key:
            source = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(key))
            patterns.append((re.compile(f"^{source}$"), text[-1] if isinstance(text, list) else text))
    return tuple(patterns)


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with its {placeholders} filled; those without a value stay.

    >>> filled("{name}: {what}", {"name": "Ana"})
    'Ana: {what}'
    """

    def value(found: re.Match[str]) -> str:
        return str(values.get(found[1], found[0]))

    return re.sub(r"\{(\w+)\}", value, text)


def _value(key: str, value: str, wanted: str) -> str:
    """A part of a sentence: said too, except names of people, of which only the "and" is."""
    if key == "name":
        return value
    if key == "names":
        head, joined, last = value.rpartition(" and ")
        return filled(catalogue(wanted).get(AND, AND), {"list": head, "last": last}) if joined else value
    return said(value, wanted)


def said(sentence: str, to: str | None = None) -> str:
    """A sentence of the station in the language `to`, or that of this screen."""
    wanted = to or language()
    if wanted == "en" or not sentence:
        return sentence
    exact = catalogue(wanted).get(sentence)
    if isinstance(exact, str):
        return exact
    for pattern, text in _patterns(wanted):
        match = pattern.match(sentence)
        if match:
            told = {key: _value(key, value, wanted) for key, value in match.groupdict().items()}
            return filled(text, told)
    return sentence
