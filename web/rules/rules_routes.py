"""Rule sets over HTTP, and the editor of house rules: check, save, delete, start from one there is."""

from typing import Annotated, Any

from flask import Blueprint, Response, abort, jsonify, render_template
from pydantic import Field

from messages.errors import BadInputError, FailedError
from station.contract.fields import Body
from station.rules import RuleSet, built_in, built_in_ids, parse_rules
from station.rules.sentences import describe
from station.screens.room import Room
from web.core.collaborators import HouseRules
from web.core.i18n import tell
from web.core.json_body import json_body
from web.join.seats import token
from web.rules.as_toml import to_toml


class RulesText(Body):
    """House rules as TOML (docs/house-rules.md)."""

    text: Annotated[str, Field(min_length=1, max_length=60_000)]


class NoHouseRules:
    """For a station that keeps none: everything can be checked, nothing saved."""

    def texts(self) -> dict[str, str]:
        """None."""
        return {}

    def save(self, text: str) -> RuleSet:
        """Refused."""
        del text
        raise FailedError("This station keeps no house rules.", code="rules/not_kept")

    def delete(self, rules_id: str) -> bool:
        """There are none to forget."""
        del rules_id
        return False


def told(rules: RuleSet, *, house: bool) -> dict[str, Any]:
    """A rule set for a screen: id, title, whether it is one of the house, and its lines in words."""
    return {
        "id": rules.id,
        "title": tell(rules.title),
        "house": house,
        "lines": [tell(line) for line in describe(rules)],
    }


def create(kept: HouseRules) -> Blueprint:
    """The blueprint that reads: the editor's page, the list, one rule set, the check."""
    pages = Blueprint("rules", __name__)

    @pages.get("/setup/rules")
    def editor() -> str:
        return render_template("rules.html")

    @pages.get("/api/v1/rules")
    def everything() -> Response:
        house = [told(parse_rules(text, name), house=True) for name, text in kept.texts().items()]
        own = [told(built_in(name), house=False) for name in built_in_ids()]
        return jsonify({"rules": [*house, *own]})

    @pages.get("/api/v1/rules/<name>")
    def one(name: str) -> Response:
        text = kept.texts().get(name)
        if text is not None:
            return jsonify(told(parse_rules(text, name), house=True) | {"text": text})
        if name not in built_in_ids():
            abort(404)
        return jsonify(told(built_in(name), house=False) | {"text": to_toml(built_in(name))})

    @pages.post("/api/v1/rules/check")
    def check() -> Response:
        text = RulesText.model_validate(json_body()).text
        return jsonify(told(parse_rules(text), house=True))

    return pages


def create_keeping(kept: HouseRules, room: Room) -> Blueprint:
    """The blueprint that changes: save and delete, for the host where there is one."""
    api = Blueprint("rules_keeping", __name__, url_prefix="/api/v1/rules")

    @api.post("")
    def save() -> Response:
        room.check_host(token())
        text = RulesText.model_validate(json_body()).text
        return jsonify(told(kept.save(text), house=True))

    @api.delete("/<name>")
    def delete(name: str) -> Response:
        room.check_host(token())
        if name in built_in_ids():
            raise BadInputError(f"{name} comes with the station and stays.", code="rules/builtin")
        if not kept.delete(name):
            abort(404)
        return jsonify({"deleted": name})

    return api
