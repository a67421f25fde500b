"""Why a box has, or would have, its points: in words, from the rules and the dice."""

from messages.errors import BadInputError
from messages.message import Message
from station.contract.answers import PlayerWhy, RowWhy
from station.contract.view import TableView
from station.game.log.player import Player
from station.game.log.state import State
from station.game.steps.correct_box import elsewhere
from station.game.way import WAY
from station.rules import RuleSet, Sheet, explain
from station.rules.sentences import pays


def why(state: State, view: TableView, category: str) -> RowWhy:
    """Everything there is to say about one row of the sheet.

    view: the same moment, as screens see it. Raises BadInputError for a box there is not, or when no game
    is on.
    """
    rules = state.rules
    if rules is None:
        raise BadInputError("game/no_boxes", code="game/none")
    players = []
    for seat, player in enumerate(state.players):
        points = player.sheet.points(category)
        potential = view.players[seat].potentials.get(category)
        sentence = scored(rules, player).get(category)
        if points is None:
            throw = max(state.throws_done, 1)
            if potential is not None:
                faces = WAY.of(state).own(state, seat).faces
                sentence = explain(rules, category, faces, throw, player.sheet).sentence
        worth = potential if points is None else points
        filling = next((each for each in player.fillings if each.category == category), None)
        moves = elsewhere(rules, player, filling) if filling else {}
        faces = filling.faces if filling else ()
        players.append(PlayerWhy(player.name, worth, points is None, sentence, faces, moves))
    box = rules.box(category)
    return RowWhy(category, box.label, pays(rules, box), tuple(players))


def scored(rules: RuleSet, player: Player) -> dict[str, Message]:
    """Category -> why it got its points, for every box a player has filled.

    With the dice that count for it now, corrected or not, on the sheet as it was when the box was filled.
    """
    entries = player.sheet.entries
    return {
        filling.category: explain(
            rules, filling.category, filling.faces, filling.throw, Sheet(entries[:number])
        ).sentence
        for number, filling in enumerate(player.fillings)
    }
