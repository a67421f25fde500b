"""The catalogues: every key has words in every language, every placeholder its value, no entry is idle."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from messages.catalogue import FOLDERS, PLACEHOLDER, decimal, entries, languages, text
from messages.message import Message
from release.site import PACKAGES
from station.config.extras import installed
from station.config.wiring import called
from station.game.feature import features
from tests.conftest import ROOT
from vision.reading import Reason

KEY = re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)+")
BEGINNING = re.compile(r"([a-z0-9_-]+/)+[a-z0-9_-]*")
MAKERS = re.compile(r"(Message|\w*Error|t)")
SCRIPT_CALL = re.compile(r"""\bt\(\s*["'`]([^"'`]+)["'`]""")

installed(), features()  # of which come words, too


def sources(suffix: str) -> list[Path]:
    return [path for room in PACKAGES for path in sorted((ROOT / room).rglob(f"*.{suffix}"))]


@cache
def makings() -> tuple[tuple[Path, str, ast.Call], ...]:
    """Every call in Python that makes a sentence or an error: where, what is called, and the call."""
    return tuple(
        (path, name, node)
        for path in sources("py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args
        if MAKERS.fullmatch(name := getattr(node.func, "id", getattr(node.func, "attr", "")))
    )


def calls() -> Iterator[tuple[Path, str, set[str] | None]]:
    """Every sentence made in Python: where, its key, the names of its values (None: not to be told)."""
    for path, name, call in makings():
        key = getattr(call.args[0], "value", None)
        if isinstance(key, str) and (KEY.fullmatch(key) or name in {"t", "tn"}):
            told = {word.arg for word in call.keywords if word.arg}
            yield path, key, None if any(word.arg is None for word in call.keywords) else told


def placeholders(key: str, language: str) -> set[str]:
    entry = entries(language)[key]
    found = {
        name
        for form in ([entry] if isinstance(entry, str) else entry.values())
        for name, _ in PLACEHOLDER.findall(form)
    }
    return found | (set() if isinstance(entry, str) else {"count"})


@cache
def spoken_of() -> tuple[str, tuple[str, ...]]:
    """All sources of the product as one text, and the beginnings of keys that are put together."""
    whole = "\n".join(
        path.read_text(encoding="utf-8") for kind in ("py", "js", "html") for path in sources(kind)
    )
    return whole, tuple(re.findall(r"[\"'`]([a-z0-9_/-]+/)(?:\$?\{|[\"'`]\s*[~+])", whole))


@cache
def all_calls() -> tuple[tuple[Path, str, frozenset[str] | None], ...]:
    return tuple((path, key, None if told is None else frozenset(told)) for path, key, told in calls())


@pytest.mark.parametrize("kind", ["py", "js", "html"])
def test_every_key_has_words(kind: str):
    if kind == "py":
        found = [(path, key) for path, key, _ in all_calls()]
    else:
        texts = [(path, path.read_text(encoding="utf-8")) for path in sources(kind)]
        found = [(path, key) for path, whole in texts for key in SCRIPT_CALL.findall(whole)]
    known = entries("en")
    unknown = [
        (str(path.relative_to(ROOT)), key) for path, key in found if KEY.fullmatch(key) and key not in known
    ]
    assert unknown == []


def test_every_key_that_is_put_together_begins_as_one_that_has_words():
    found = [
        (str(path.relative_to(ROOT)), first.value)
        for path, _, call in makings()
        if isinstance(call.args[0], ast.JoinedStr)
        if isinstance(first := call.args[0].values[0], ast.Constant) and BEGINNING.fullmatch(first.value)
    ]
    assert len(found) > 20
    unknown = [each for each in found if not any(key.startswith(each[1]) for key in entries("en"))]
    assert unknown == []


def test_every_placeholder_gets_its_value():
    wrong = [
        (str(path.relative_to(ROOT)), key, sorted(placeholders(key, "en") - told))
        for path, key, told in all_calls()
        if told is not None and key in entries("en") and not placeholders(key, "en") <= told
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
