"""Why a box has, or would have, its points: in words, from the rules and the dice."""

from collections.abc import Sequence

from messages.errors import BadInputError
from messages.message import Message
from station.contract.answers import PlayerWhy, RowWhy
from station.contract.view import TableView
from station.game.events import BoxCorrected, BoxScored, Event
from station.game.state import State, evolve
from station.rules import RuleSet, explain

Told = dict[tuple[int, str], Message | str]
"""(seat, category) -> why it got its points."""


def pays(rules: RuleSet, category: str) -> Message | str:
    """What a box is for: "the sum of the 3s"."""
    return rules.box(category).scoring.how()


def why(state: State, view: TableView, category: str, events: Sequence[Event] = ()) -> RowWhy:
    """Everything there is to say about one row of the sheet.

    view: the same moment, as screens see it. events: of this game, if known, for boxes already filled.
    Raises BadInputError for a box there is not, or when no game is on.
    """
    rules = state.rules
    if rules is None:
        raise BadInputError("game/no_boxes", code="game/none")
    told = scored(events)
    players = []
    for seat, player in enumerate(state.players):
        points = player.sheet.points(category)
        potential = view.players[seat].potentials.get(category)
        sentence = told.get((seat, category))
        if points is None:
            throw = max(state.throws_done, 1)
            sentence = None
            if potential is not None:
                sentence = explain(rules, category, state.faces, throw, player.sheet).sentence
        worth = potential if points is None else points
        players.append(PlayerWhy(player.name, worth, points is None, sentence))
    return RowWhy(category, rules.box(category).label, pays(rules, category), tuple(players))


def scored(events: Sequence[Event]) -> Told:
    """(seat, category) -> why it got its points, for every box these events filled and left filled."""
    told: Told = {}
    history: list[Told] = []
    state = State()
    for event in events:
        if event.kind == "undone":
            told = history.pop() if history else {}
        else:
            history.append(told)
            if isinstance(event, BoxScored) and state.rules is not None:
                dice = [die.face for die in state.dice if not event.slots or die.slot in event.slots]
                sheet = state.players[state.active].sheet
                sentence = explain(state.rules, event.category, dice, state.throws_done, sheet).sentence
                told = {**told, (state.active, event.category): sentence}
            elif isinstance(event, BoxCorrected) and state.rules is not None:
                box = event.to or event.category
                sentence = explain(state.rules, box, event.faces, event.throw).sentence
                told = {**told, (event.seat, box): sentence}
        state = evolve(state, event)
    return told
