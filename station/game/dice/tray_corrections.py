"""Corrections of the dice on the tray while the roll is not confirmed: they count until the dice move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from station.game.log.slots import Seen, pairs

NO_DIE = 0
"""Used instead of a face for something that the camera took for a die."""

ASIDE_PX = 1_000_000.0
"""The place of dice that only people see: right of all others."""


@dataclass(frozen=True, slots=True)
class Fixes:
    """All corrections of the dice while they lie still.

    lie: all dice seen since the first fix. faces: (die as it lay, face or NO_DIE). added: faces of dice
    that the camera missed.
    """

    lie: tuple[Seen, ...] = ()
    faces: tuple[tuple[Seen, int], ...] = ()
    added: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.faces or self.added)

    def after(self, now: Sequence[Seen]) -> "Fixes":
        """The fixes that still hold when the dice lie like this.

        A die the camera loses for a moment, or finds at last, changes nothing; one that has gone from its
        place while another lies in a new one has been moved, and then no earlier correction counts.
        """
        if not self:
            return self
        found = pairs(self.lie, now)
        new = tuple(die for j, die in enumerate(now) if j not in found.values())
        if not found or (new and len(found) < len(self.lie)):
            return Fixes()
        return replace(self, lie=(*self.lie, *new))

    def applied(self, seen: Sequence[Seen], count: int) -> tuple[Seen, ...]:
        """The dice as people say they are. count: how many are played with.

        A die the camera missed counts only as long as one is missing: it may find it after all.
        """
        found = pairs([die for die, _ in self.faces], seen)
        given = {j: self.faces[i][1] for i, j in found.items()}
        dice = [replace(die, face=given.get(j, die.face)) for j, die in enumerate(seen)]
        dice = [die for die in dice if die.face != NO_DIE]
        missed = self.added[: max(count - len(dice), 0)]
        return (*dice, *(Seen(face, ASIDE_PX + i, 0.0, 0.0) for i, face in enumerate(missed)))

    def with_face(self, seen: Sequence[Seen], die: Seen, face: int) -> "Fixes":
        """Add the correction that this die shows that face, or is no die."""
        others = tuple(entry for entry in self.faces if not pairs([entry[0]], [die]))
        return replace(self, lie=self.lie or tuple(seen), faces=(*others, (die, face)))

    def with_missed(self, seen: Sequence[Seen], face: int) -> "Fixes":
        """Add the correction that there is a die with this face that the camera does not see."""
        return replace(self, lie=self.lie or tuple(seen), added=(*self.added, face))

    def with_missed_as(self, before: int, face: int) -> "Fixes":
        """Change the face of a die that the camera missed, or remove it."""
        place = self.added.index(before)
        instead = () if face == NO_DIE else (face,)
        return replace(self, added=(*self.added[:place], *instead, *self.added[place + 1 :]))
