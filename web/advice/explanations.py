"""Why a box has, or would have, its points: in words, from the rules and the dice."""

from collections.abc import Sequence

from messages.errors import BadInputError
from messages.message import Message
from station.contract.answers import PlayerWhy, RowWhy
from station.contract.view import TableView
from station.game.events import BoxCorrected, BoxScored, Event, PlayerReady, PlayerRemoved
from station.game.evolve import evolve
from station.game.state import State
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
                faces = state.at_table(seat).own.faces if state.simultaneous else state.faces
                sentence = explain(rules, category, faces, throw, player.sheet).sentence
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
            if isinstance(event, BoxScored | PlayerReady | PlayerRemoved):
                told = told | _newly_filled(state, evolve(state, event))
            elif isinstance(event, BoxCorrected) and state.rules is not None:
                box = event.to or event.category
                sentence = explain(state.rules, box, event.faces, event.throw).sentence
                told = {**told, (event.seat, box): sentence}
        state = evolve(state, event)
    return told


def _newly_filled(before: State, after: State) -> Told:
    """Why the boxes that an event filled got their points."""
    told: Told = {}
    if before.rules is None or before.game != after.game:
        return told
    for seat, (player, now) in enumerate(zip(before.players, after.players, strict=False)):
        for filling in now.fillings[len(player.fillings) :]:
            why = explain(before.rules, filling.category, filling.faces, filling.throw, player.sheet)
            told[seat, filling.category] = why.sentence
    return told
