"""No sentence that a screen may come to show is missing in the catalogue, whoever composes it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from messages.catalogue import text
from messages.errors import BadInputError
from station.rules import built_in, built_in_ids, parse_rules
from station.rules.sentences import describe
from tests.conftest import ROOT
from tests.web.helpers import Stage
from tests.web.test_words import ENGLISH
from web.core import i18n

DESCRIPTIONS = {
    "endpoints.py",
    "seats.py",
    "rules_routes.py",
    "history_routes.py",
    "setup_pages.py",
    "backups.py",
    "request_models.py",
    "openapi.py",
    "state_model.py",
}
"""These describe the API to programmers, in English."""

FOR_PROGRAMS = {"commands.py", "events.py", "notation.py"}
"""Of the game: what only a program gets wrong."""

PUT_TOGETHER = {
    "The camera is not sure¤. Set it right, or type the roll.",
}
"""Parts of sentences that are in the catalogue as a whole, and a source, which keeps its name."""

ROOMS = (
    *(path for path in (ROOT / "web").rglob("*.py") if path.name not in DESCRIPTIONS),
    *(path for path in (ROOT / "station" / "game").glob("*.py") if path.name not in FOR_PROGRAMS),
    *(ROOT / "station" / "rules").glob("*.py"),
    *(ROOT / "station" / "store").glob("*.py"),
    ROOT / "station" / "table.py",
    ROOT / "station" / "advice" / "advisor.py",
)


def sentences(path: Path) -> Iterator[str]:
    """Texts of a module that are sentences; a ¤ stands for each value that is filled in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    filled = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    parts = {id(part) for node in filled for part in ast.walk(node) if part is not node}
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [str(part.value) if isinstance(part, ast.Constant) else "¤" for part in node.values]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces = [node.value]
        else:
            continue
        text = "".join(pieces)
        if id(node) not in parts | docstrings and re.search(r"\w+ \w+.*(\.$|\. )", text):
            yield text


def known(text: str) -> bool:
    """Whether the catalogue has the phrase a text is made from, and those of its parts."""
    if text in i18n.catalogue("de") or not re.search(r"[A-Za-z]", text):
        return True
    return any(
        all(known(part) for part in match.groups())
        for pattern, _ in i18n._patterns("de")
        if (match := pattern.match(text))
    )


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_sentence_is_in_the_catalogue(path: Path):
    assert [text for text in sentences(path) if text not in PUT_TOGETHER and not known(text)] == []


def test_a_problem_is_told_on_its_page_in_german(stage: Stage):
    stage.client.set_cookie("language", "de")
    page = stage.client.get("/nowhere").get_data(as_text=True)
    assert "Unter dieser Adresse ist nichts." in page
    assert "There is nothing" not in page


@pytest.mark.parametrize("rules", built_in_ids())
def test_rules_are_told_in_german(rules: str):
    for line in describe(built_in(rules))[1:-1]:  # not the title of whoever wrote it, nor the source
        assert not ENGLISH.search(text(line, "de"))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("id = 3", "Hausregeln, Zeile 1: „id“ muss ein Text von 1 bis 24 Zeichen sein, nicht 3."),
        (
            'id = "a"\nbox = []',
            "Hausregeln, Zeile 2: „box“ muss eine Liste von Tabellen sein, jede geschrieben als [[box]].",
        ),
        ("[[box]", "Hausregeln, Zeile 1: Das ist kein TOML: "),
        ("x = " + "[" * 20_000, "Hausregeln: Das ist tiefer verschachtelt als alle Hausregeln."),
    ],
    ids=["text", "tables", "no TOML", "deep"],
)
def test_a_mistake_in_house_rules_is_told_in_german(written: str, told: str):
    with pytest.raises(BadInputError) as refused:
        parse_rules(written)
    assert text(refused.value.message, "de").startswith(told)
