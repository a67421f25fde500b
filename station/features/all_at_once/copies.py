"""A round in which all play at once (`RuleSet.simultaneous`): copies of the throw, and who is ready.

Five dice are thrown for everybody. Every player has a copy, keeps dice of it and says when they are ready;
when all are, all five are thrown again, and what a player keeps stays on that player's copy. After the
last throw everybody picks a box; when all are ready, the boxes are written. Who sits down during a round
plays from the next one on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from messages.errors import RefusalError
from station.game.log.feature_values import FeatureValue
from station.game.log.player import Filling, Player
from station.game.log.slots import Die
from station.game.log.state import Phase, State
from station.game.situation import check_seat, must_run
from station.game.way import WAY
from station.rules import RuleSet, fill, legal_boxes

Players = tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class PlayerCopy:
    """The dice of one player; empty for who is not in this round.

    dice: by slot, those that were kept as they were kept. held: slots that the next throw leaves as they are.
    kept: slots that the last throw left as they were. chosen: the box that is written when all are ready.
    """

    dice: tuple[Die, ...] = ()
    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    ready: bool = False
    chosen: str | None = None


COPY: FeatureValue[PlayerCopy] = FeatureValue("copy", PlayerCopy())
"""The copy of a player."""
COLOURS: FeatureValue[tuple[str, ...]] = FeatureValue("colours", ())
"""The colours of a state's dice, by slot, in this round."""


def plays(rules: RuleSet, player: Player) -> bool:
    """Whether a player takes part in the next round."""
    return not player.gone and not player.sheet.is_full(rules)


def in_round(players: Sequence[Player]) -> tuple[int, ...]:
    """Seats of those who take part in the round that was begun."""
    return tuple(i for i, player in enumerate(players) if COPY.of(player).dice and not player.gone)


def waited_for(players: Sequence[Player]) -> tuple[int, ...]:
    """Seats of those who are not ready."""
    return tuple(i for i in in_round(players) if not COPY.of(players[i]).ready)


def at_table(rules: RuleSet, players: Sequence[Player], seat: int) -> int:
    """The seat for which the table's buttons act: `seat` as long as it is waited for, else the next one."""
    waiting = waited_for(players) or in_round(players)
    waiting = waiting or tuple(i for i, player in enumerate(players) if plays(rules, player))
    return next((i for i in waiting if i >= seat), waiting[0] if waiting else seat)


def thrown(rules: RuleSet, players: Players, dice: Sequence[Die], *, first: bool) -> Players:
    """A common throw counts: on every copy the dice that were not kept become what the same die shows."""

    def copied(player: Player) -> Player:
        copy = COPY.of(player)
        if first:
            return COPY.put(player, PlayerCopy(tuple(dice)) if plays(rules, player) else PlayerCopy())
        own = tuple(old if old.slot in copy.held else new for old, new in zip(copy.dice, dice, strict=False))
        return COPY.put(player, PlayerCopy(own, copy.held, copy.held))

    return tuple(map(copied, players))


def die_corrected(rules: RuleSet, players: Players, slot: int, face: int) -> Players:
    """The last throw showed another face: so do the copies that took this die from it."""

    def shows(copy: PlayerCopy) -> PlayerCopy:
        if slot in copy.kept:
            return copy
        dice = tuple(replace(die, face=face) if die.slot == slot else die for die in copy.dice)
        return replace(copy, dice=dice)

    return tuple(without_lost_choice(rules, player) for player in _copies(players, shows))


def with_copy(state: State, seat: int, **changed: Any) -> State:
    """The state with something else about one player's copy."""
    players = state.players
    player = COPY.put(players[seat], replace(COPY.of(players[seat]), **changed))
    return replace(state, players=(*players[:seat], player, *players[seat + 1 :]))


def released(players: Players) -> Players:
    """After the last throw nothing can be held any more."""
    return _copies(players, lambda copy: replace(copy, held=()))


def written(rules: RuleSet, players: Players, throw: int) -> Players:
    """The boxes that were picked are filled, each with the dice of the own copy; a round ends.

    throw: how many throws it had.
    """

    def filled(player: Player) -> Player:
        copy = COPY.of(player)
        if player.gone or copy.chosen is None:
            return player
        faces = _faces(copy)
        sheet = fill(rules, player.sheet, copy.chosen, faces, throw)
        return replace(player, sheet=sheet, fillings=(*player.fillings, Filling(copy.chosen, faces, throw)))

    return cleared(tuple(map(filled, players)))


def without_lost_choice(rules: RuleSet, player: Player) -> Player:
    """A player whose dice a correction keeps out of the picked box, filled by now or not, picks another."""
    copy = COPY.of(player)
    if copy.chosen is None or copy.chosen in legal_boxes(rules, player.sheet, _faces(copy)):
        return player
    return COPY.put(player, replace(copy, chosen=None, ready=False))


def _faces(copy: PlayerCopy) -> tuple[int, ...]:
    return tuple(sorted(die.face for die in copy.dice))


def cleared(players: Players) -> Players:
    """No round is being played."""
    return _copies(players, lambda _: PlayerCopy())


def _copies(players: Players, changed: Callable[[PlayerCopy], PlayerCopy]) -> Players:
    return tuple(COPY.put(player, changed(COPY.of(player))) for player in players)


# -- what a player may do with a copy ----------------------------------------------------------------


def check_together(state: State) -> None:
    """Raise RefusalError unless a game is played in which all play at once."""
    must_run(state)
    if WAY.of(state).in_turns:
        raise RefusalError("ready/turns")


def check_copy(state: State, player: int | None, before_throw: str) -> tuple[int, PlayerCopy]:
    """The seat and the copy of a player who has something to do with it now. Raises RefusalError.

    before_throw: the sentence that says why a round that has no throw yet has nothing to be done in it.
    """
    seat = state.active if player is None else player
    check_seat(state, seat)
    copy = COPY.of(state.players[seat])
    if state.throws_done == 0:
        raise RefusalError(before_throw)
    if not copy.dice:
        raise RefusalError("ready/next_round", name=state.players[seat].name)
    if state.phase is Phase.THROWING:
        raise RefusalError("ready/all_ready")
    return seat, copy


def check_not_ready(state: State, seat: int) -> None:
    """Raise RefusalError where that player is ready."""
    if COPY.of(state.players[seat]).ready:
        raise RefusalError("ready/already", name=state.players[seat].name)
