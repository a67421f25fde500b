"""Puts messages into words: one catalogue a language, the same for pages, API, command line, paper and voice.

A catalogue is a TOML file of `messages/catalogues`, named by its language; features and extras bring folders
with more of them. Its tables nest as the keys do
(`roll/none_left` is in `[roll]` as `none_left`). An entry is a text with `{placeholders}`, or, where
the words depend on the value `count`, a table of texts by plural category of the Unicode CLDR (``one``,
``other``, …) or by an exact number in quotes; it has ``other``, and nothing but such keys.

A placeholder may say how its value is written: `{share:%}` per cent, `{age:.1}` with that many decimals,
`{points:.0}` as a whole number, `{names:or}` a list whose last comma is an "or",
`{names:,}` one with commas only; "and" and "or" stand under `list/`. Plural categories and decimals are
the language's own (Babel).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from messages.message import OWN_WORDS, Message, Value

DEFAULT = "en"
"""The language in which keys are written first, and that of the log."""

FOLDER = Path(__file__).parent / "catalogues"

FOLDERS = [FOLDER]
"""Where files of words lie; of a key that several of them have, the words of the last count."""

Entry = str | Mapping[str, str]
"""A text, or texts by plural category."""

TABLE = re.compile(r"^\[", re.MULTILINE)
NAME = re.compile(r"[.\]]")
CATEGORIES = frozenset({"zero", "one", "two", "few", "many"})
"""Plural categories to look up; anything else is ``other``."""

PLACEHOLDER = re.compile(r"\{(\w+)(?::([^}]*))?\}")


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    names = {file.name.removesuffix(".toml") for file in FOLDER.iterdir() if file.name.endswith(".toml")}
    return (DEFAULT, *sorted(names - {DEFAULT}))


def written(language: str) -> bytes:
    """All files of a language, as they are written."""
    files = (folder / f"{language}.toml" for folder in FOLDERS)
    return b"".join(file.read_bytes() for file in files if file.exists())


def add(folder: Path) -> None:
    """Add a folder of words; a language that has no file there has them in English.

    Raises ValueError, TypeError or OSError where they cannot be read, and then adds none of them.
    """
    from tomllib import loads  # noqa: PLC0415 - as below

    for file in folder.glob("*.toml"):
        dict(_flat(loads(file.read_text(encoding="utf-8")), ""))
    FOLDERS.insert(0, folder)
    for cached in (entries, _tables, _entries):
        cached.cache_clear()


@cache
def entries(language: str) -> Mapping[str, Entry]:
    """All entries of a language by their keys. Raises KeyError for a language there is not."""
    if language not in languages():
        raise KeyError(language)
    names = dict.fromkeys(name for folder in reversed(FOLDERS) for name in _tables(folder, language))
    return {key: entry for name in names for key, entry in _entries(language, name).items()}


@cache
def _tables(folder: Path, language: str) -> Mapping[str, str]:
    """Outermost table -> its text: a command needs few sentences, and need not read all of a language."""
    file = folder / f"{language}.toml"
    head, *parts = TABLE.split(file.read_text(encoding="utf-8") if file.exists() else "")
    tables = {"": head}
    for part in parts:
        name = NAME.split(part, maxsplit=1)[0]
        tables[name] = f"{tables.get(name, '')}[{part}"
    return tables


@cache
def _entries(language: str, name: str) -> Mapping[str, Entry]:
    from tomllib import loads  # noqa: PLC0415 - a command that says nothing need not wait for it

    return {
        key: entry
        for folder in FOLDERS
        for key, entry in _flat(loads(_tables(folder, language).get(name, "")), "")
    }


def text(message: Message | str, language: str = DEFAULT) -> str:
    """The message in words; what is text already stays as it is.

    A key that a catalogue lacks is in English, and one that even English lacks is the key itself:
    a missing word must not keep a game from being played (tests find both).

    >>> text(Message("roll/none_left", name="Mum and Dad"), "de")
    'Mum and Dad hat keinen Wurf mehr; wähle ein Feld.'
    """
    if isinstance(message, str):
        return message
    if message.key == OWN_WORDS:
        return str(message.values.get(language, message.values["first"]))
    entry = _entries(language, message.key.rpartition("/")[0].partition("/")[0]).get(message.key)
    if entry is None:
        return message.key if language == DEFAULT else text(message, DEFAULT)
    values = message.values
    template = entry if isinstance(entry, str) else _form(entry, values.get("count", 0), language)
    return PLACEHOLDER.sub(lambda match: _filled(match, values, language), template)


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Entry]]:
    for name, value in table.items():
        if isinstance(value, str) or _is_plural(value):
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}/")


def _is_plural(table: Mapping[str, Any]) -> bool:
    """Whether a table has the texts of one entry, not entries of its own."""
    return "other" in table and all(
        name == "other" or name in CATEGORIES or name.isdecimal() for name in table
    )


def _form(forms: Mapping[str, str], count: Value, language: str) -> str:
    """The text for this number of things."""
    if not isinstance(count, int | float):
        raise TypeError(f"a count must be a number, not {count!r}")
    exact = forms.get(str(count))
    if exact or CATEGORIES.isdisjoint(forms):
        return exact or forms["other"]
    return forms.get(_locale(language).plural_form(count)) or forms["other"]


def _filled(match: re.Match[str], values: Mapping[str, Value], language: str) -> str:
    name, style = match[1], match[2] or ""
    return _value_text(values[name], style, language) if name in values else match[0]


def _value_text(value: Value, style: str, language: str) -> str:
    if isinstance(value, Message):
        return text(value, language)
    if isinstance(value, tuple):
        return _listed([_value_text(item, "", language) for item in value], style, language)
    if isinstance(value, date):
        return day(value, language)
    if style and not isinstance(value, str):
        return _number(value, style, language)
    return str(value)


def _listed(items: list[str], style: str, language: str) -> str:
    if style == "," or len(items) < 2:  # noqa: PLR2004 - one thing is no list
        return ", ".join(items)
    *most, last = items
    return text(Message(f"list/{style or 'and'}", most=", ".join(most), last=last), language)


def percent(share: float, language: str) -> str:
    r"""Per cent of a share from 0 to 1; where a space is before the sign, a narrow one (DIN 5008).

    >>> percent(0.09, "en"), percent(0.09, "de")
    ('9%', '9\u202f%')
    """
    from babel.numbers import format_percent  # noqa: PLC0415

    return str(format_percent(share, locale=_locale(language))).replace(
        "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
    )


@lru_cache(maxsize=1000)
def day(value: date, language: str) -> str:
    """A day with the name of its month.

    >>> day(date(2026, 10, 3), "en"), day(date(2026, 10, 3), "de")
    ('October 3, 2026', '3. Oktober 2026')
    """
    from babel.dates import format_date  # noqa: PLC0415

    return str(format_date(value, "long", locale=_locale(language)))


GROUPED_FROM = 10_000
"""Four digits are one group in every language; longer numbers are parted as the language does it."""


def decimal(value: float, decimals: str, language: str) -> str:
    """A number, on pages, on paper and in sentences alike.

    decimals: zeros, one for each decimal; # for one that is left out where it is 0.

    >>> decimal(1280, "", "de"), decimal(12800.5, "0", "de"), decimal(0.5, "##", "fr")
    ('1280', '12.800,5', '0,5')
    """
    if not decimals and abs(value) < GROUPED_FROM:
        return str(round(value))  # without Babel, which takes its time
    from babel.numbers import format_decimal  # noqa: PLC0415

    whole = "0" if abs(value) < GROUPED_FROM else "#,##0"
    return str(format_decimal(value, f"{whole}.{decimals}".rstrip("."), locale=_locale(language)))


def _number(value: float, style: str, language: str) -> str:
    """`style` is % or .1, .2, … for that many decimals, .0 for none."""
    return percent(value, language) if style == "%" else decimal(value, "0" * int(style[1:]), language)


@cache
def _locale(language: str) -> Any:
    from babel import Locale  # noqa: PLC0415 - takes 30 ms, and many messages need no plural

    return Locale.parse(language)
