"""The situation that the chances to win depend on."""

from collections.abc import Sequence
from dataclasses import dataclass

from station.rules import Sheet


@dataclass(frozen=True, slots=True)
class AdviceSituation:
    """The state of a game: everybody's sheets, whose turn it is, and what was thrown in it.

    active: whose turn it is, with `dice` and `rolls_left` after a throw. hands: where throws are shared, the
    dice of every player, die by die (`dice` for all, if not given), and none of who is not in this turn.
    in_turns: whether each throws alone. saved: throws that each player has saved, where
    rules keep them. called: the category that is announced for this turn.
    """

    sheets: Sequence[Sheet]
    active: int
    dice: Sequence[int] = ()
    rolls_left: int | None = None
    hands: Sequence[Sequence[int]] = ()
    in_turns: bool = True
    saved: Sequence[int] = ()
    called: str = ""
