"""Sheets to print: the page where one chooses what is on them, and the PDF of an empty one."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, render_template, request

from messages.catalogue import languages
from messages.errors import BadInputError
from station.games import rules_of, texts
from station.rules import RuleSet, built_in_ids
from station.store.archive import FinishedPlayer
from station.store.house_rules import HouseRules
from web.core import i18n
from web.core.application import named
from web.history.layouts import LAYOUTS


def pdf_answer(rules: RuleSet, name: str, players: Sequence[FinishedPlayer] = (), **more: Any) -> Response:
    """A score sheet as a file to open. more: as `paper.score_sheet`."""
    from web.history import paper  # noqa: PLC0415 - 20 MB only those who print should need

    return named(
        Response(paper.score_sheet(rules, players, **more), mimetype="application/pdf"), f"{name}.pdf"
    )


def create(house_rules: HouseRules) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("paper", __name__)

    def rules_named(name: str) -> RuleSet:
        return rules_of(name, house_rules.texts())

    @pages.get("/paper")
    def choose() -> str:
        names = dict.fromkeys((*house_rules.texts(), *built_in_ids(), *texts()))
        return render_template(
            "paper.html",
            rules=[(name, i18n.sentence(rules_named(name).title)) for name in names],
            chosen=request.args.get("rules", built_in_ids()[0]),
            layouts=LAYOUTS,
            spoken=[(each, i18n.own_name(each)) for each in languages()],
            language=i18n.language(),
        )

    @pages.get("/sheet.pdf")
    def empty() -> Response:
        rules = rules_named(request.args.get("rules", built_in_ids()[0]))
        layout = request.args.get("layout", next(iter(LAYOUTS)))
        if layout not in LAYOUTS:
            raise BadInputError("web/paper/layout", code="input/bad", layout=layout, layouts=tuple(LAYOUTS))
        return pdf_answer(rules, f"yacht-{rules.id}-{layout}", layout=layout)

    return pages
