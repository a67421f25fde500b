"""The catalogues: every key has words in every language, every placeholder its value, no entry is idle."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from messages import catalogue
from messages.catalogue import FOLDERS, decimal, entries, languages, text
from messages.message import Message
from release.site import PACKAGES
from station.config.extras import installed
from station.config.wiring import called
from station.game.feature import features
from tests.conftest import ROOT
from tests.wording import placeholders
from vision.reading import Reason

KEY = re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)+")
VARIABLE = "[a-z0-9_/-]+"
MAKERS = re.compile(r"(Message|\w*Error|t)")
SCRIPT_CALL = re.compile(r"""\bt\(\s*["'`]([^"'`]+)["'`]""")

installed(), features()  # of which come words, too


def sources(suffix: str) -> list[Path]:
    return [path for room in PACKAGES for path in sorted((ROOT / room).rglob(f"*.{suffix}"))]


def patterns(expression: ast.expr) -> Iterator[str]:
    """Regular expressions of the keys that an expression may be; none where it names them elsewhere."""
    match expression:
        case ast.Constant(str(key)):
            yield re.escape(key)
        case ast.JoinedStr(parts):
            texts = (getattr(each, "value", None) for each in parts)
            yield "".join(re.escape(each) if isinstance(each, str) else VARIABLE for each in texts)
        case ast.IfExp():
            yield from (*patterns(expression.body), *patterns(expression.orelse))


@cache
def matching(pattern: str) -> frozenset[str]:
    return frozenset(key for key in entries("en") if re.fullmatch(pattern, key))


@cache
def calls() -> tuple[tuple[str, str, frozenset[str], frozenset[str | None]], ...]:
    """Every call in Python that makes a sentence or an error.

    Where; the pattern of its key; the keys it may be; the names of its values, None where there may be more.
    """
    return tuple(
        (
            f"{path.relative_to(ROOT)}:{call.lineno}",
            pattern,
            keys,
            frozenset(each.arg for each in call.keywords),
        )
        for path in sources("py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and call.args
        if MAKERS.fullmatch(name := getattr(call.func, "id", getattr(call.func, "attr", "")))
        for pattern in patterns(call.args[0])
        if name == "t" or KEY.fullmatch(pattern.replace(VARIABLE, "x").replace("\\", ""))
        for keys in [matching(pattern)]
    )


@cache
def spoken_of() -> tuple[str, tuple[str, ...]]:
    """All sources of the product as one text, and the beginnings of keys that are put together."""
    whole = "\n".join(
        path.read_text(encoding="utf-8") for kind in ("py", "js", "html") for path in sources(kind)
    )
    return whole, tuple(re.findall(r"[\"'`]([a-z0-9_/-]+/)(?:\$?\{|[\"'`]\s*[~+])", whole))


def test_every_key_in_python_has_words():
    assert len(calls()) > 1000
    assert [(where, pattern) for where, pattern, keys, _ in calls() if not keys] == []


@pytest.mark.parametrize("kind", ["js", "html"])
def test_every_key_in_a_page_has_words(kind: str):
    found = [
        (str(path.relative_to(ROOT)), key)
        for path in sources(kind)
        for key in SCRIPT_CALL.findall(path.read_text(encoding="utf-8"))
    ]
    assert [(path, key) for path, key in found if KEY.fullmatch(key) and key not in entries("en")] == []


def test_every_placeholder_gets_its_value():
    """Of a key that is put together, those of one of the keys it may be."""
    wrong = [
        (where, pattern, sorted(map(str, values)))
        for where, pattern, keys, values in calls()
        if keys and None not in values and not any(placeholders(key, "en") <= values for key in keys)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_a_language_has_all_keys_and_the_same_placeholders(language: str):
    assert set(entries(language)) == set(entries("en"))
    wrong = [key for key in entries("en") if placeholders(key, language) != placeholders(key, "en")]
    assert wrong == []


@pytest.mark.needs_feature
def test_no_entry_is_idle():
    whole, beginnings = spoken_of()
    said = set(re.findall(r"[\"'`](?=([a-z0-9_/-]+)[\"'`])", whole))
    assert [key for key in entries("en") if key not in said and not key.startswith(beginnings)] == []


def test_a_name_is_never_translated():
    told = Message("roll/none_left", name="Mum and Dad")
    assert text(told, "de") == "Mum and Dad hat keinen Wurf mehr; wähle ein Feld."


def test_no_french_line_begins_with_a_sign():
    """The space before it is one that no line ends at."""
    found = {
        key: str(dict(entry) if isinstance(entry, dict) else entry) for key, entry in entries("fr").items()
    }
    assert not [key for key, words in found.items() if re.search(r"[\w»}] [;!?:%»](?!\w)|« ", words)]


def test_no_french_word_that_is_cut_before_a_vowel_stands_before_a_name():
    """Anna and Émile make it "d'", others "de"."""
    cut = re.compile(
        r"\b(de|que|lorsque|puisque|jusque|ne|se|me|te|le|la|je) \{(name|player|other|box|boxes)\b"
    )
    forms = {
        key: str(dict(entry) if isinstance(entry, dict) else entry) for key, entry in entries("fr").items()
    }
    assert [key for key, told in forms.items() if cut.search(told)] == []


@pytest.mark.parametrize(
    ("language", "words"), [("en", "only 1 would"), ("de", "fiele nur einer"), ("fr", "un seul serait")]
)
def test_one_uneven_die_is_one(language: str, words: str):
    assert words in text(Message("html/dice/odd", count=1), language)
    assert words in text(Message("html/dice/unfair", count=1), language)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (Message("calibration/lens/few_more", count=1), ("1 view.", "1 Ansicht.", "Vues\u202f: 1.")),
        (
            Message("calibration/check/wrong", count=1, dice=25),
            (
                "1 of 25 dice was misread",
                "1 von 25 Würfeln wurde falsch gelesen",
                "Dés mal lus\u202f: 1 sur 25",
            ),
        ),
        (Message("calibration/check/say_each", count=1), ("1 die was", "1 Würfel wurde", "Dés lus\u202f: 1")),
        (
            Message("yacht/simulate/playing", count=1, share=0.0),
            ("Playing 1 game:", "1 Spiel wird", "1 partie est"),
        ),
    ],
)
def test_one_is_one_in_every_language(message: Message, words: tuple[str, ...]):
    for language, told in zip(("en", "de", "fr"), words, strict=True):
        assert told in text(message, language)


@pytest.mark.parametrize(
    ("points", "words"),
    [(980, "980"), (1280, "1280"), (12800, "12,800 12.800 12\u202f800"), (-1280, "-1280")],
)
def test_numbers_are_written_alike_in_sentences_and_on_the_sheet(points: int, words: str):
    """Four digits are one group; on pages the same, tests/e2e/test_words.py."""
    each = words.split(" ") * (3 if " " not in words else 1)
    for language, told in zip(("en", "de", "fr"), each, strict=True):
        assert text(Message("points/count", count=points), language).startswith(f"{told} ")
        assert decimal(points, "", language) == told


def test_what_is_text_stays_text():
    assert text("as it is", "de") == "as it is"


def test_there_is_no_language_without_a_catalogue():
    with pytest.raises(KeyError):
        entries("xx")


def test_every_reason_of_a_reading_has_words_and_no_other():
    assert {key for key in entries("en") if key.startswith("reason/")} == {
        each.message.key for each in Reason
    }


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_read_table_by_table_is_the_whole_catalogue(language: str) -> None:
    files = [tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8")) for folder in FOLDERS]
    assert len(files) > 1

    def texts(table: object) -> Iterator[str]:
        for each in table.values() if isinstance(table, dict) else ():
            yield from [each] if isinstance(each, str) else texts(each)

    assert sorted(each for file in files for each in texts(file)) == sorted(texts(entries(language)))
    assert text(Message("text", text="as it is"), language) == "as it is"


def test_one_box_that_is_filled_is_one():
    told = [text(Message("page/board/boxes", count=count, boxes=24), "fr") for count in (1, 2)]
    assert told == ["1 case sur 24", "2 cases sur 24"]


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("hold-2", "button", "hold button 2 Haltetaste 2 bouton de garde 2"),
        ("confirm", "lamp", "confirm lamp Bestätigungslampe lampe de confirmation"),
        ("undo", "button", "undo button Rücknahmetaste bouton d’annulation"),  # noqa: RUF001 - as it is written
        ("knob", "button", "knob Drehknopf molette"),
        ("buzzer", "lamp", "buzzer Summer avertisseur sonore"),
    ],
)
def test_parts_of_the_table_have_words(name: str, kind: Literal["button", "lamp"], words: str):
    assert " ".join(text(called(name, kind), language) for language in ("en", "de", "fr")) == words


def test_a_table_is_an_entry_only_where_all_its_keys_are_plural_forms(tmp_path: Path, monkeypatch):
    (tmp_path / "en.toml").write_text(
        '[colour]\nred = "Red"\nother = "Another colour"\n'
        '[die]\ncount = {one = "a die", "2" = "a pair", other = "{count} dice"}\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(catalogue, "FOLDERS", [tmp_path])
    caches = (catalogue.entries, catalogue._tables, catalogue._entries)
    for cached in caches:
        cached.cache_clear()
    try:
        assert set(entries("en")) == {"colour/red", "colour/other", "die/count"}
        assert text(Message("colour/other")) == "Another colour"
        assert [text(Message("die/count", count=count)) for count in (1, 2, 3)] == [
            "a die",
            "a pair",
            "3 dice",
        ]
    finally:
        for cached in caches:
            cached.cache_clear()
