"""Luck and skill of a game that was played: the events as turns, for station.strategy.review."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.contract.reviewed import (
    DearDecision,
    DecisionReview,
    GameReview,
    GoodDecision,
    LuckyThrow,
    PlayerReview,
)
from station.game.events import (
    BoxCorrected,
    BoxScored,
    DieCorrected,
    Event,
    GameStarted,
    RollAccepted,
)
from station.game.evolve import evolve, replay
from station.game.log.player import Player
from station.game.log.state import State
from station.game.way import WAY
from station.rules import RuleSet
from station.rules.dice import Dice, dashed
from station.strategy.forward.trials import Offset
from station.strategy.reasons import chosen
from station.strategy.review import Filled, Review, ReviewedThrow, Turn, review
from station.strategy.values.decisions import Values

COST_MIN = 0.005
"""Points given away by a decision that is worth a word."""
SHOWN_MIN = 0.05
"""Points that a throw or a decision of a game is named for; fewer would be written as 0.0."""
NAMED = 3
"""Decisions of a game that are named."""


@dataclass(slots=True)
class _Played:
    """A turn being followed: faces by slot after each throw, slots held before the next, slots of boxes."""

    throws: list[dict[int, int]] = field(default_factory=list)
    held: list[tuple[int, ...]] = field(default_factory=list)
    boxes: list[tuple[int, ...]] = field(default_factory=list)

    def correct(self, slot: int, face: int) -> None:
        """A die showed another face; so it did in the throws before, as far as it was held since then."""
        for number in range(len(self.throws) - 1, -1, -1):
            self.throws[number][slot] = face
            if number == 0 or slot not in self.held[number - 1]:
                break

    def dice(self, slots: Sequence[int]) -> Dice:
        """The dice of these slots after the last throw."""
        return tuple(sorted(self.throws[-1][slot] for slot in slots))

    def thrown(self) -> tuple[ReviewedThrow, ...]:
        """The throws as values."""
        held = [*self.held, None]
        return tuple(
            ReviewedThrow(tuple(sorted(faces.values())), kept and tuple(sorted(faces[slot] for slot in kept)))
            for faces, kept in zip(self.throws, held, strict=True)
        )


def turns(events: Sequence[Event]) -> tuple[tuple[Turn, ...], ...]:
    """The turns of every seat, in order, without what was undone; the last one may be unfinished.

    A box that was corrected later ends its turn as it is on the sheet at the end of the game.
    """
    state = State()
    played: list[list[_Played]] = []
    for event in replay(events).past:
        before, state = state, evolve(state, event)
        match event:
            case GameStarted():
                played = [[] for _ in state.players]
                continue
            case BoxCorrected():
                _set_right(played[event.seat], before.players[event.seat], event)
            case _ if not WAY.of(before).in_turns:
                _follow_all(played, before, state, event)
            case RollAccepted():
                mine = played[before.active]
                if before.throws_done:
                    mine[-1].held.append(before.held)
                else:
                    mine.append(_Played())
                mine[-1].throws.append({die.slot: die.face for die in event.dice})
            case DieCorrected():
                played[before.active][-1].correct(event.slot, event.face)
            case BoxScored():
                slots = event.slots or tuple(die.slot for die in before.dice)
                played[before.active][-1].boxes.append(slots)
            case _:
                pass  # nothing was thrown or filled
        played = _seated(before.players, state.players, played)
    return tuple(_turns(player, mine) for player, mine in zip(state.players, played, strict=True))


def _follow_all(played: Sequence[list[_Played]], before: State, after: State, event: Event) -> None:
    """An event of a game in which nobody has a turn, as it is for each of the players."""
    seats = zip(played, before.players, after.players, strict=False)
    for seat, (mine, was, now) in enumerate(seats):
        dice = {die.slot: die.face for die in WAY.of(after).own(after, seat).dice}
        lay = WAY.of(before).own(before, seat)
        match event:
            case RollAccepted() if dice:
                if before.throws_done:
                    mine[-1].held.append(lay.held)
                else:
                    mine.append(_Played())
                mine[-1].throws.append(dice)
            case DieCorrected() if dice:
                mine[-1].throws[-1] = dice
            case _ if len(now.fillings) > len(was.fillings):
                mine[-1].boxes.append(tuple(die.slot for die in lay.dice))
            case _:
                pass


def _set_right(mine: Sequence[_Played], player: Player, event: BoxCorrected) -> None:
    """Other dice lay there when a box was filled."""
    place = [entry.category for entry in player.sheet.entries].index(event.category)
    turn, slots = [(turn, slots) for turn in mine for slots in turn.boxes][place]
    turn.throws[-1].update(zip(slots, event.faces, strict=True))


def _seated(
    before: Sequence[Player], after: Sequence[Player], played: Sequence[list[_Played]]
) -> list[list[_Played]]:
    """The game as played, with the current seats: renamed players keep theirs."""
    old, new = [player.name for player in before], [player.name for player in after]
    if old == new:
        return list(played)
    found = []
    for seat, name in enumerate(new):
        was = old.index(name) if name in old else seat
        there = was < len(played) and (name in old or old[was] not in new)
        found.append(played[was] if there else [])
    return found


def _turns(player: Player, mine: Sequence[_Played]) -> tuple[Turn, ...]:
    """The turns of one player, each with the boxes as they stand on the sheet."""
    entries = iter(player.sheet.entries)
    return tuple(
        Turn(
            turn.thrown(),
            tuple(Filled(entry, turn.dice(slots)) for slots, entry in zip(turn.boxes, entries, strict=False)),
        )
        for turn in mine
    )


def reviews(
    solution: Values, events: Sequence[Event], offsets: Sequence[Offset] = ()
) -> tuple[Review | None, ...]:
    """Luck and skill of every seat; None where a player's turns cannot be followed."""
    return tuple(_review(solution, each, offsets) for each in turns(events))


def _review(solution: Values, played: Sequence[Turn], offsets: Sequence[Offset]) -> Review | None:
    try:
        return review(solution, played, offsets)
    except (BadInputError, RefusalError):
        return None


def game_review(
    solution: Values,
    game: int,
    names: Sequence[str],
    events: Sequence[Event],
    offsets: Sequence[Offset] = (),
) -> GameReview:
    """Luck and skill of a game, for people; `names` are those of the seats. offsets: as `review`."""
    players = tuple(
        PlayerReview(
            seat, name, each.expected, each.score, each.still_to_come, each.luck, each.given_away, each.turns
        )
        for seat, (name, each) in enumerate(zip(names, reviews(solution, events, offsets), strict=True))
        if each is not None
    )
    costly = [
        _named(solution.model.rules, player, number, decision)
        for player in players
        for number, turn in enumerate(player.turns, start=1)
        for decision in turn.decisions
        if decision.cost >= SHOWN_MIN
    ]
    rules = solution.model.rules
    return GameReview(
        game,
        players,
        tuple(sorted(costly, key=lambda each: -each.cost)[:NAMED]),
        _best(rules, players),
        _luckiest(players),
    )


def _best(rules: RuleSet, players: Sequence[PlayerReview]) -> GoodDecision | None:
    """The decision that was better than the obvious one by most."""
    made = [
        (each.saved, player, number, each)
        for player in players
        for number, turn in enumerate(player.turns, start=1)
        for each in turn.decisions
        if each.saved >= SHOWN_MIN
    ]
    if not made:
        return None
    saved, player, number, each = max(made, key=lambda one: one[0])
    done, dice = chosen(rules, each.done), dashed(each.dice)
    words = Message("review/good", name=player.name, turn=number, dice=dice, done=done, saved=saved)
    return GoodDecision(player.seat, number, each.throw, saved, words)


def _luckiest(players: Sequence[PlayerReview]) -> LuckyThrow | None:
    """The throw that brought most beyond what could be expected; None where none brought more."""
    thrown = [
        (each.luck, player, number, throw, each.dice)
        for player in players
        for number, turn in enumerate(player.turns, start=1)
        for throw, each in enumerate(turn.throws, start=1)
        if each.luck >= SHOWN_MIN
    ]
    if not thrown:
        return None
    luck, player, number, throw, dice = max(thrown, key=lambda one: one[0])
    words = Message("review/lucky", name=player.name, turn=number, dice=dashed(dice), luck=luck)
    return LuckyThrow(player.seat, number, throw, dice, luck, words)


def decisions(rules: RuleSet, player: PlayerReview) -> list[Message | str]:
    """Every decision of a player in a sentence, with what it gave away."""
    found: list[Message | str] = []
    for number, turn in enumerate(player.turns, start=1):
        for made in turn.decisions:
            if made.cost > COST_MIN:
                found.append(_named(rules, player, number, made).words)
            else:
                done = chosen(rules, made.done)
                found.append(
                    Message("review/best", name=player.name, turn=number, dice=dashed(made.dice), done=done)
                )
    return found


def _named(rules: RuleSet, player: PlayerReview, turn: int, made: DecisionReview) -> DearDecision:
    """A decision in a sentence."""
    words = Message(
        "review/dear",
        name=player.name,
        turn=turn,
        dice=dashed(made.dice),
        done=chosen(rules, made.done),
        cost=made.cost,
        best=chosen(rules, made.best),
    )
    return DearDecision(player.seat, turn, made.throw, made.cost, words)
