"""Why a box has, or would have, its points: in words, from the rules and the dice."""

from collections.abc import Sequence
from typing import Any

from messages.errors import BadInputError
from station.game.events import BoxCorrected, BoxScored, Event
from station.game.state import State, evolve
from station.rules import RuleSet, explain
from web.advice.answers import rules_of, sheet_of
from web.core.i18n import tell


def pays(rules: RuleSet, category: str) -> str:
    """What a box is for: "the sum of the 3s"."""
    return tell(rules.box(category).scoring.how())


def why(state: dict[str, Any], category: str, events: Sequence[Event] = ()) -> dict[str, Any]:
    """Everything there is to say about one row of the sheet.

    state: as the table publishes it. events: of this game, if they are known, for boxes already filled.
    Gives {"label", "pays", "players": [{"name", "points", "why", "open"}]}; `why` is None where the dice
    are not known any more. Raises BadInputError for a box there is not, or when no game is on.
    """
    if state["rules"] is None:
        raise BadInputError("No game is being played; there are no boxes yet.", code="game/none")
    rules = rules_of(state)
    label = tell(rules.box(category).label)
    told = scored(events)
    players = []
    for seat, player in enumerate(state["players"]):
        points = player["boxes"].get(category)
        potential = player["potentials"].get(category)
        if points is not None:
            sentence = told.get((seat, category))
        elif potential is not None:
            dice = [die["face"] for die in state["dice"]]
            sheet = sheet_of(player)
            sentence = tell(explain(rules, category, dice, max(state["throws_done"], 1), sheet).sentence)
        else:
            sentence = None
        players.append(
            {
                "name": player["name"],
                "points": potential if points is None else points,
                "open": points is None,
                "why": sentence,
            }
        )
    return {"category": category, "label": label, "pays": pays(rules, category), "players": players}


def scored(events: Sequence[Event]) -> dict[tuple[int, str], str]:
    """(seat, category) -> why it got its points, for every box these events filled and left filled."""
    told: dict[tuple[int, str], str] = {}
    history: list[dict[tuple[int, str], str]] = []
    state = State()
    for event in events:
        if event.kind == "undone":
            told = history.pop() if history else {}
        else:
            history.append(told)
            if isinstance(event, BoxScored) and state.rules is not None:
                dice = [die.face for die in state.dice if not event.slots or die.slot in event.slots]
                sheet = state.players[state.active].sheet
                sentence = tell(explain(state.rules, event.category, dice, state.throws_done, sheet).sentence)
                told = {**told, (state.active, event.category): sentence}
            elif isinstance(event, BoxCorrected) and state.rules is not None:
                box = event.to or event.category
                sentence = tell(explain(state.rules, box, event.faces, event.throw).sentence)
                told = {**told, (event.seat, box): sentence}
        state = evolve(state, event)
    return told
