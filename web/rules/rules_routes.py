"""Rule sets over HTTP, and the editor of house rules: check, save, delete, start from one there is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from flask import Blueprint, Response, abort, render_template
from pydantic import BaseModel, ConfigDict, Field

from messages.errors import BadInputError
from station import games
from station.contract.fields import PLAYERS_MAX, Body
from station.features.listed import FEATURES
from station.game.log.options import with_these
from station.rules import RuleSet, built_in_ids, parse_rules
from station.rules.sentences import describe
from station.rules.written import to_toml
from station.screens.bounds import Kind
from station.screens.room import Room
from station.store.house_rules import HouseRules
from station.table.table import Table
from web.core import i18n
from web.core.endpoints import Deleted, answer, endpoint, unless_known
from web.join.seats import source, token
from web.rules import switches
from web.rules.switches import RuleSwitch


class RulesText(Body):
    """House rules as TOML (docs/house-rules.md)."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": 'id = "ours"\ntitle = "As at the lake"\n…'}]}
    )
    text: Annotated[str, Field(min_length=1, max_length=60_000)]


OF_FEATURES = {name: each for feature in FEATURES for name, each in feature.rules_fields.items()}
"""Fields that features add: the type, and what it says of a rule set."""


@with_these({name: (kind, ...) for name, (kind, _) in OF_FEATURES.items()})
class RulesShape(BaseModel):
    """A rule set: who may play it, and its lines say in words what it pays."""

    id: str
    title: str
    house: Annotated[bool, Field(description="Whether it is one of the house, kept by this station.")]
    lines: list[str]
    players_min: int
    players_max: int
    starts: Annotated[str, Field(description="Who starts, as the rule set has it.")]
    big_general: Annotated[bool, Field(description="Whether one may be thrown, and be played for.")]
    throws_for_start: Annotated[bool, Field(description="Whether it says that a die is thrown for it.")]


class RulesWithText(RulesShape):
    """A rule set with its text."""

    text: Annotated[str, Field(description="As house rules, to begin one's own from.")]


class Switching(RulesText):
    """House rules as TOML, and what to change in them: a switch of theirs, or what they are called."""

    key: Annotated[str, Field(max_length=24, description="Empty: nothing is changed.")] = ""
    value: Annotated[str, Field(max_length=24)] = ""
    title: Annotated[str, Field(max_length=60, description="Empty: it stays.")] = ""


@dataclass(frozen=True, slots=True)
class SwitchedRules:
    """House rules with their switches."""

    text: str
    title: str
    lines: tuple[str, ...]
    switches: tuple[RuleSwitch, ...]


class AllRules(BaseModel):
    """All rule sets, those of the house first."""

    version: Annotated[str, Field(description="`rules_version` of the state.")]
    rules: list[RulesShape]


def rules_shape(rules: RuleSet, *, house: bool) -> RulesShape:
    """A rule set for a screen."""
    return RulesShape(
        id=rules.id,
        title=i18n.sentence(rules.title),
        house=house,
        lines=[i18n.sentence(line) for line in describe(rules)],
        players_min=rules.players[0],
        players_max=min(rules.players[1], PLAYERS_MAX),
        starts=i18n.sentence(rules.starts),
        big_general=rules.first_throw_yacht_wins,
        throws_for_start=rules.first_die is not None,
        **{name: of(rules) for name, (_, of) in OF_FEATURES.items()},
    )


def create(table: Table, house_rules: HouseRules) -> Blueprint:
    """The blueprint that reads: the editor's page, the list, one rule set, the check."""
    pages = Blueprint("rules", __name__)

    def titles() -> dict[str, str]:
        """By id; those of the station have none that anybody could mean."""
        own = dict.fromkeys((*built_in_ids(), *games.texts()), "")
        return own | {
            name: i18n.sentence(parse_rules(text, name).title) for name, text in house_rules.texts().items()
        }

    @pages.get("/setup/rules")
    def editor() -> str:
        return render_template("rules.html")

    @pages.get("/api/v1/rules")
    @endpoint(gives=AllRules)
    def everything() -> Response:
        """All rule sets."""
        version = table.snapshot().rules_version  # looked at first, so that the list is no older than it
        texts = house_rules.texts()
        house = [rules_shape(parse_rules(text, name), house=True) for name, text in texts.items()]
        others = (name for name in (*built_in_ids(), *games.texts()) if name not in texts)
        own = [rules_shape(games.rules_of(name), house=False) for name in others]
        return unless_known(answer(AllRules(version=version, rules=[*house, *own])))

    @pages.get("/api/v1/rules/<name>")
    @endpoint(errors=(404,))
    def one(name: str) -> RulesWithText:
        """One rule set with its text."""
        own = house_rules.texts()
        if name in own:
            return RulesWithText(
                **dict(rules_shape(parse_rules(own[name], name), house=True)), text=own[name]
            )
        if name not in games.texts() and name not in built_in_ids():
            abort(404)
        rules = games.rules_of(name)
        text = switches.begun(games.texts().get(name) or to_toml(rules, i18n.language()), own)
        return RulesWithText(**dict(rules_shape(rules, house=False)), text=text)

    @pages.post("/api/v1/rules/check")
    @endpoint()
    def check(wanted: RulesText) -> RulesShape:
        """Check house rules."""
        return rules_shape(parse_rules(wanted.text), house=True)

    @pages.post("/api/v1/rules/switches")
    @endpoint()
    def switch(wanted: Switching) -> SwitchedRules:
        """Change house rules by a switch."""
        text = switches.switched(wanted.text, wanted.key, wanted.value) if wanted.key else wanted.text
        text = switches.named(text, wanted.title, titles()) if wanted.title.strip() else text
        shape = rules_shape(parse_rules(text), house=True)
        return SwitchedRules(text, shape.title, tuple(shape.lines), switches.switches(text))

    return pages


def create_keeping(house_rules: HouseRules, room: Room) -> Blueprint:
    """The blueprint that changes: save, for the host where there is one, and delete, for the host."""
    api = Blueprint("rules_keeping", __name__, url_prefix="/api/v1/rules")

    @api.post("")
    @endpoint(errors=(403, 422, 503))
    def save(wanted: RulesText) -> RulesShape:
        """Keep house rules."""
        room.check_settings(token())
        address, size = source(), len(wanted.text.encode())

        def admit(rules_id: str, there: Mapping[str, int]) -> None:
            room.bounds.admit(Kind.RULES, there, rules_id, size, address=address)

        return rules_shape(house_rules.save(wanted.text, admit), house=True)

    @api.delete("/<name>")
    @endpoint(errors=(400, 403, 404, 503))
    def delete(name: str) -> Deleted:
        """Forget house rules."""
        room.check_host(token())
        if name in built_in_ids() or (name in games.texts() and name not in house_rules.texts()):
            raise BadInputError("web/rules/builtin", code="rules/builtin", rules=name)
        if not house_rules.delete(name):
            abort(404)
        return Deleted(name)

    return api
