"""Small pictures of the dice of the last throws in two homes, so that each home sees what the other read.

The own ones are cut out of the picture the throw was read in, where the settings allow it; those of other
homes are decoded and encoded again, so that no foreign bytes reach a browser. All of it in memory.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from messages.errors import BadInputError
from pictures.decode import decode
from pictures.header import jpeg_size_wh
from station.features.two_homes.last_throws import of_last_roll
from station.game.log.slots import Die
from station.game.log.state import State
from vision.picture import encode_jpeg

CUT_PX = 112
"""Width of a picture of a die that is made here."""
SIDE_MAX_PX = 224
"""No side of one that comes may be longer."""
BYTES_MAX = 4_096
"""The largest picture, in bytes."""
DICE_MAX = 10
HOMES_MAX = 9
"""The one that keeps the game, and eight that play along."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of one throw: its home ("" for the host), its name, a JPEG by slot; None for an unseen die."""

    home: str
    throw: str
    jpegs: tuple[bytes | None, ...]

    @property
    def name(self) -> str:
        """The name in requests: other pictures have another."""
        whole = hashlib.blake2b(f"{self.home}/{self.throw}".encode(), digest_size=8)
        for jpeg in self.jpegs:
            whole.update(jpeg or b"-")
        return whole.hexdigest()


class HomePictures:
    """Safe to call from several threads.

    home: this one's name, "" where the game is kept. cut: the die that lay at x, y (px) as a small JPEG; None
    gives no own pictures.
    """

    def __init__(self, home: str = "", cut: Callable[[float, float], bytes | None] | None = None) -> None:
        self._home, self._cut = home, cut
        self._lock = Lock()
        self._kept: dict[str, Pictures] = {}
        self._last: tuple[Sequence[Die], Pictures] = ((), Pictures("", "", ()))
        self._untold: deque[Pictures] = deque(maxlen=HOMES_MAX)

    def thrown(self, state: State) -> Pictures | None:
        """A throw was confirmed as the camera here read it; its pictures, which are to be sent.

        state: after it, in a game that is played in two homes. None where nobody may see them.
        """
        throw = of_last_roll(state)
        if self._cut is None or throw is None or throw.home != self._home or throw.typed:
            return None
        jpegs = tuple(map(self._own, state.dice))
        if not any(jpegs):
            return None
        made = Pictures(self._home, throw.name, jpegs)
        self._last = state.dice, made
        return made

    def _own(self, die: Die) -> bytes | None:
        """A die held beside the tray is no longer in it: its picture is the earlier one."""
        dice, made = self._last
        if die in dice:
            return made.jpegs[list(dice).index(die)]
        return None if die.read is None or self._cut is None else self._cut(die.read.x, die.read.y)

    def keep(self, made: Pictures) -> None:
        """These are the last ones of that home; where the game is kept, those of all are sent on."""
        with self._lock:
            self._kept[made.home] = made
            if self._home in {"", made.home}:
                self._untold.append(made)

    def unsent(self) -> tuple[Pictures, ...]:
        """The pictures that came since the last call."""
        with self._lock:
            found = tuple(self._untold)
            self._untold.clear()
        return found

    def find(self, name: str, slot: int) -> bytes | None:
        """The picture of a die, by the name of the pictures it is one of."""
        with self._lock:
            found = next((each for each in self._kept.values() if each.name == name), None)
        return None if found is None or not 1 <= slot <= len(found.jpegs) else found.jpegs[slot - 1]


def checked(home: str, throw: str, jpegs: Sequence[bytes | None]) -> Pictures:
    """Pictures of another home, encoded again. Raises BadInputError for any other file, or a large one."""
    if not 1 <= len(jpegs) <= DICE_MAX:
        raise BadInputError("homes/pictures")
    return Pictures(home, throw, tuple(None if jpeg is None else _anew(jpeg) for jpeg in jpegs))


def _anew(jpeg: bytes) -> bytes:
    size = jpeg_size_wh(jpeg) if len(jpeg) <= BYTES_MAX else None
    if size is None or max(size) > SIDE_MAX_PX:
        raise BadInputError("homes/pictures")
    try:
        image = decode(jpeg)
    except BadInputError as error:
        raise BadInputError("homes/pictures") from error
    return encode_jpeg(image, width_max=CUT_PX, bytes_max=BYTES_MAX)
