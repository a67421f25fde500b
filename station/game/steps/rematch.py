"""A game begins with the people and rules of the one that ended."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import Whose
from station.contract.new_game import Starter, StarterWord
from station.features.listed import GAME_OPTIONS
from station.game.feature import Start
from station.game.log.options import chosen
from station.game.log.state import Phase, State
from station.game.players import seats
from station.game.situation import GameCommand, Situation, granted
from station.game.steps.start_game import GameStarted, begun, check_count


class Rematch(GameCommand):
    """The same people and rules once more; who starts is found out as before, unless it is said."""

    whose: ClassVar[Whose] = Whose.ANYBODY
    command: Literal["rematch"] = "rematch"
    order: Annotated[
        Literal["keep", "shuffle", "rotate"],
        Field(description="How they sit: as before, by lot, or each one further."),
    ] = "keep"
    starter: Starter = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """After a game, while there are as many as its rules take."""
        state, rules = now.state, now.state.rules
        if state.phase is not Phase.FINISHED or rules is None:
            return False
        return granted(lambda: check_count(rules, len(seats.of_table(state))))

    def decide(self, now: Situation) -> tuple[GameStarted, ...]:
        """The same once more."""
        game = now.next_game()  # taken, whatever comes of it
        state, rules = now.state, now.state.rules
        if state.phase is not Phase.FINISHED or rules is None:
            raise RefusalError("game/not_finished")
        sitting = seats.in_order(seats.of_table(state), self.order, now.draw)
        starter = self.starter if self.starter is not None else _starter_before(state)
        event = begun(now, game, state.house, Start(rules, sitting, starter))
        agreed = {option: option.keep(option.request(option.of(state)), rules) for option in GAME_OPTIONS}
        return (replace(event, options=chosen(agreed)),)


def _starter_before(state: State) -> StarterWord | None:
    """The way in which the starter of the game before was chosen; None if people named one."""
    return next((word for word in get_args(StarterWord) if word == state.starter), None)
