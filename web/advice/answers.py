"""Answers of /score, /advice, /hint and /odds: what dice are worth, and the best thing to do with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from messages.errors import FailedError
from messages.message import Message
from station import games
from station.advice.situation import AdviceSituation
from station.contract.answers import LastLuck, SlotChance, TableOdds
from station.contract.questions import AdviceRequest, ScoreRequest
from station.contract.view import Text
from station.game.boxes import bound, unadvised
from station.game.events import Event, PlayerMoved
from station.game.evolve import evolve, replay
from station.game.log.slots import Die, slots_of
from station.game.log.state import Phase, State, saved_throws
from station.game.players.seats import thrower
from station.game.way import WAY, own
from station.rules import RuleSet, explain_all, sheet_totals
from station.rules.dice import dashed

if TYPE_CHECKING:
    from station.advice.advisor import Advisor
    from station.advice.luck import Luckiest
    from station.contract.answers import TableHint
    from station.strategy.forward.trials import Offset
    from station.strategy.values.decisions import Values
    from station.strategy.values.hints import Hint

CHOICES = 5
"""How many holds, and how many boxes, are listed with the chance to win."""


"""Events between two turns, where a throw is due after them."""


class PreparingError(FailedError):
    """The values of this rule set are being worked out. HTTP 503."""


def score(request: ScoreRequest, own: Mapping[str, str] = games.NO_OTHERS) -> dict[str, int]:
    """Points of these dice in every category of a rule set, or in one, as `yacht score --json` has them.

    own: texts of the station's own house rules by id.

    Raises BadInputError for an unknown rule set, category or throw, and for a wrong number of dice.

    >>> score(ScoreRequest(rules="yacht-1938", dice=(1, 2, 2, 4, 6), category="twos"))
    {'twos': 4}
    """
    found = explain_all(games.rules_of(request.rules, own), request.dice, request.roll, request.category)
    return {category: each.points for category, each in found.items()}


def _spread(values: Sequence[float], there: Sequence[int], count: int) -> tuple[float, ...]:
    """Values of those who are there, at their seats; 0 for who has gone. None stay none."""
    given = dict(zip(there, values, strict=False))
    return tuple(given.get(seat, 0.0) for seat in range(count)) if given else ()


def _padded(values: Sequence[float], seats: int) -> tuple[float, ...]:
    """The same with 0 for who came later."""
    return (*values, *(0.0,) * (seats - len(values)))[:seats]


def _faces(dice: Iterable[Die]) -> tuple[int, ...]:
    return tuple(die.face for die in dice)


class Advice:
    """The advisor behind the API. Its tables are read on first use."""

    def __init__(self, advisor: "Advisor") -> None:
        self._advisor = advisor
        self._luckiest: Luckiest | None = None

    def answer(self, request: AdviceRequest, own: Mapping[str, str] = games.NO_OTHERS) -> "Hint":
        """As `yacht hint --json`: holds and boxes, best first.

        Raises BadInputError for a position that cannot be, PreparingError while values are worked out.
        """
        from station.strategy.measured import hint_of  # noqa: PLC0415 - the pages do not wait for numpy
        from station.strategy.model.position import position  # noqa: PLC0415 - as above

        rules = games.rules_of(request.rules, own)
        start_position = position(rules, request.open, request.upper, request.yachts, request.announced or "")
        where = replace(start_position, saved=request.saved)
        values = self.solution(rules)
        return hint_of(values, where, request.dice, request.rolls_left, lambda: self.offsets(rules))

    def of_table(self, state: State) -> "TableHint | None":
        """What the active player had best do now; None when there is nothing to decide.

        Where all play at once, with the dice of the own copy.
        """
        from station.advice.table_hint import table_hint  # noqa: PLC0415

        if not state.running or state.rules is None or not own(state).dice:
            return None
        return table_hint(self.solution(state.rules), own(state), self.offsets(state.rules))

    def best_second(self, state: State, category: str, group: tuple[int, ...] | None) -> str | None:
        """The box that goes best with this one, where ten dice fill two; `group`: its five, None for any."""
        from station.advice.table_hint import best_second  # noqa: PLC0415

        return (
            None if state.rules is None else best_second(self.solution(state.rules), state, category, group)
        )

    def odds(self, state: State) -> TableOdds:
        """Who is likely to win now, and what to do for it."""
        if not state.running or state.rules is None:
            return TableOdds()
        there = [seat for seat, player in enumerate(state.players) if not player.gone]
        players = [state.players[seat] for seat in there]
        sheets, active = [player.sheet for player in players], there.index(state.active)
        thrown = len(state.dice) == state.rules.dice and not unadvised(state)
        between = WAY.of(state).filled_in_turn(state)
        if between:  # the chances are those after the best second box
            from station.advice.table_hint import turn_ended  # noqa: PLC0415

            sheets[active] = turn_ended(self.solution(state.rules), state)
            active = (active + 1) % len(sheets)
        now = AdviceSituation(
            sheets,
            active,
            state.faces if thrown else (),
            state.rolls_left if thrown else None,
            tuple(_faces(WAY.of(state).own(state, seat).dice) for seat in there) if thrown else (),
            in_turns=WAY.of(state).in_turns,
            saved=[saved_throws(state.rules, player) for player in players],
            called="" if between else bound(state),
        )
        found = self._advisor.odds(state.rules, now)
        mine = own(state)
        holds = tuple(
            SlotChance(each.hold, slots_of(each.hold, mine.dice, mine.held), each.chance)
            for each in found.holds[:CHOICES]
        )
        boxes = found.boxes[:CHOICES]
        chances, errors = (_spread(each, there, len(state.players)) for each in (found.chances, found.errors))
        answer = TableOdds(chances, errors, found.words, found.message, found.exact, holds, boxes)
        if len(there) > 1:
            return answer
        expected, par = self._alone(state)
        return replace(answer, expected=(expected,), par=par)

    def curve(self, events: Sequence[Event]) -> tuple[tuple[tuple[float, ...], ...], Text]:
        """The chances to win before the first turn and after every one; or why there are none.

        By seat, as they sat at the end. The last one is how it ended.
        """
        chances: list[tuple[float, ...]] = []
        state = State()
        for event in replay(events).past:
            state = evolve(state, event)
            if isinstance(event, PlayerMoved):
                seats = event.reseated(len(state.players))
                chances = [tuple(_padded(each, len(seats))[seat] for seat in seats) for each in chances]
            if state.phase is not Phase.THROWING or state.throws_done or not event.begins_turn:
                continue
            found = self.odds(state)
            if not found.chances or not WAY.of(state).in_turns:
                return (), _of_the_past(found.message) or Message("odds/not_this_game")
            chances.append(found.chances)
        won = state.winners
        if won:
            chances.append(tuple((seat in won) / len(won) for seat in range(len(state.players))))
        return tuple(_padded(each, len(state.players)) for each in chances), ""

    def last_luck(self, state: State) -> LastLuck:
        """How lucky the last throw was. Raises PreparingError while values are worked out."""
        from station.advice.luck import Luckiest, last_luck  # noqa: PLC0415

        if not state.running or state.rules is None:
            return LastLuck(None, "")
        solution = self.solution(state.rules)
        luck = last_luck(solution, state)
        if luck is None:
            return LastLuck(None, "")
        self._luckiest = self._luckiest or Luckiest()
        if not self._luckiest.is_it(solution, state.past, luck):
            return LastLuck(round(luck, 2), "")
        return LastLuck(
            round(luck, 2), Message("luck/luckiest", name=thrower(state), dice=dashed(state.faces))
        )

    def _alone(self, state: State) -> tuple[float, float]:
        """The final score best play expects of one who plays alone: after the last turn, at the start."""
        from station.strategy.values.hints import to_come  # noqa: PLC0415

        solution, player = self.solution(state.played), state.player
        done = len(player.sheet.entries) - WAY.of(state).filled_in_turn(state)
        turns_only = replace(player.sheet, entries=player.sheet.entries[:done])
        offsets = self.offsets(state.played) or (None,)
        beyond = offsets[state.played.turns(done)] if done < len(offsets) else None
        now = sheet_totals(state.played, turns_only).total + to_come(solution, turns_only, state.saved)
        start = solution.start + player.sheet.ahead + (offsets[0].mean if offsets[0] else 0.0)
        return round(now + (beyond.mean if beyond else 0.0), 2), round(start, 2)

    def offsets(self, rules: RuleSet) -> "tuple[Offset, ...]":
        """How far off values are, where they are not exact."""
        return () if self._advisor.plan(rules).exact else self._advisor.offsets(rules)

    def solution(self, rules: RuleSet) -> "Values":
        """The values of a rule set. Raises PreparingError while they are worked out."""
        found = self._advisor.solution(rules)
        if found is None:
            raise PreparingError(self._advisor.preparation(rules).message, code="advice/preparing")
        return found


def _of_the_past(message: Text) -> Text:
    """The message about a game that is over: a note about advice during the game is out of place there."""
    within = message.values.get("message") if isinstance(message, Message) else None
    return within if isinstance(within, Message) else message
