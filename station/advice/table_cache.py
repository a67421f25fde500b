"""Tables of values and of chances: those that ship, and those kept on disk once they were worked out.

They are mapped from their files: of a table only the pages somebody asks for are in memory, and the system
takes them back when it needs them. Each file ends in a digest that is looked at when it is mapped. Together
they take at most their share of the disk: the least recently used go first.
"""

import logging
import mmap
import os
import tempfile
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from messages.atomic_write import write_pieces
from messages.errors import BadInputError
from messages.regular_file import read_regular
from station.advice.budget import NORMAL
from station.advice.sealed_file import is_whole, sealed
from station.advice.tables import shipped
from station.strategy.forward.trials import Offset
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats
from station.strategy.odds.distributions import Distributions, spans
from station.strategy.odds.spreads import Spreads, spreads_table
from station.strategy.values.pack import unpack
from station.strategy.values.solver import Solution

_LOG = logging.getLogger(__name__)
MEANS, VARIANCES, CHANCES, OFFSETS, SO_FAR = "means", "variances", "odds", "offsets", "sofar"
PACKED = "values"
"""The kind that earlier versions stored instead of means."""
KINDS = frozenset({MEANS, VARIANCES, CHANCES, OFFSETS, SO_FAR, PACKED})


class TableCache:
    """Finds and keeps tables; `folder` is where, None to keep nothing; `most_bytes` all together.

    A file that is damaged or cannot be written is logged, and the table is computed again.
    """

    def __init__(self, folder: Path | None, most_bytes: int = NORMAL.disk_bytes) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._lock = threading.Lock()
        self._maps: WeakKeyDictionary[mmap.mmap, Path] = WeakKeyDictionary()

    def __reduce__(self) -> tuple[type["TableCache"], tuple[Path | None, int]]:
        """Another process maps tables for itself."""
        return TableCache, (self._folder, self._most_bytes)

    def sweep(self) -> None:
        """Remove what a power cut left of tables, before this process works out any; others keep theirs.

        And what is beyond the share of the disk, which an earlier station did not keep to.
        """
        self._make_room()
        for path in () if self._folder is None else self._folder.glob("*.part"):
            process = path.name.split(".")[-2]
            ended = process == str(os.getpid()) or not Path("/proc", process).exists()
            if process.isdigit() and ended:
                with suppress(OSError):
                    path.unlink()

    def solution(self, model: Model) -> Solution | None:
        """The values of a game, shipped or kept; None if there are none."""
        cached = self._kept_solution(model)
        if cached is not None:
            return cached
        for data in (shipped(model), self._packed(model)):
            if data is not None:
                try:
                    return self.keep_solution(unpack(model, data))
                except BadInputError as error:
                    _LOG.warning("The values kept for %s are worked out anew: %s", model.rules.id, error)
        return None

    def keep_solution(self, solution: Solution) -> Solution:
        """Keep the values of a game; returns them mapped, or as they are where they cannot be kept."""
        self._keep(solution.model, MEANS, (solution.values,))
        if (so_far := self._path(solution.model, SO_FAR)) is not None:
            with suppress(OSError):
                so_far.unlink(missing_ok=True)
        return self._kept_solution(solution.model) or solution

    def _kept_solution(self, model: Model) -> Solution | None:
        """The values of a game, if they were kept, mapped."""
        cached = self._mapped(model, MEANS, "<f8", model.layout.size)
        return None if cached is None else Solution(model, cached)

    def so_far(self, model: Model) -> Floats | None:
        """The values of a game that was not worked out to the end, NaN where they are not known."""
        return self._mapped(model, SO_FAR, "<f8", model.layout.size)

    def keep_so_far(self, model: Model, values: Floats) -> None:
        """Keep them, until the values are kept whole."""
        self._keep(model, SO_FAR, (values,))

    def spreads(self, solution: Solution) -> Spreads | None:
        """The spreads of a game, if they were kept."""
        cached = self._mapped(solution.model, VARIANCES, "<f8", solution.model.layout.size)
        return None if cached is None else spreads_table(solution, cached)

    def keep_spreads(self, table: Spreads) -> None:
        """Keep the spreads of a game."""
        self._keep(table.model, VARIANCES, (table.variances,))

    def offsets(self, model: Model) -> tuple[Offset, ...]:
        """The stored errors of a game's values; empty if there are none."""
        rules = model.rules
        turns = rules.turns(len(rules.boxes))
        cached = self._mapped(model, OFFSETS, "<f8", turns * len(Offset._fields))
        return (
            () if cached is None else tuple(Offset(*map(float, each)) for each in cached.reshape(turns, -1))
        )

    def keep_offsets(self, model: Model, offsets: Sequence[Offset]) -> None:
        """Keep how far off the values of a game are."""
        self._keep(model, OFFSETS, (np.array(offsets).ravel(),))

    def distributions(self, model: Model) -> Distributions | None:
        """The distributions of a game, if they were kept."""
        where = spans(model)
        cached = self._mapped(model, CHANCES, "<f4", where.size)
        return None if cached is None else Distributions(model, where, cached)

    def place_of_distributions(self, model: Model) -> Path:
        """The file in which the distributions of a game are to be worked out, to be kept."""
        return self._path(model, CHANCES) or self.passing_place()

    def passing_place(self) -> Path:
        """A new name for a file that is mapped and then removed; on the disk of the tables if that can be."""
        folder = self._folder
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(f".{os.getpid()}.part", dir=folder)
        except OSError:
            handle, name = tempfile.mkstemp(f".{os.getpid()}.part")
        os.close(handle)
        return Path(name)

    def take(self, model: Model, place: Path, within: tuple[int, ...]) -> Distributions:
        """The distributions that were worked out in that file; a passing one loses its name.

        A mapping stays until it is released. Raises OSError for a file that cannot be mapped.
        """
        where = spans(model, within)
        found = self._map(place, "<f4", where.size)
        if place != self._path(model, CHANCES):
            place.unlink()
        self._make_room()
        return Distributions(model, where, found)

    def _path(self, model: Model, kind: str) -> Path | None:
        """The path of the table of that kind."""
        return None if self._folder is None else self._folder / f"{model.fingerprint}.{kind}"

    def _packed(self, model: Model) -> bytes | None:
        """The values an earlier station kept, if they can be read."""
        path = self._path(model, PACKED)
        try:
            return None if path is None else read_regular(path)
        except OSError:
            return None

    def _mapped(self, model: Model, kind: str, dtype: str, size: int) -> npt.NDArray[Any] | None:
        """A table that is kept; None if there is none that is whole."""
        path = self._path(model, kind)
        if path is None or not path.is_file():
            return None
        try:
            if is_whole(path, size * np.dtype(dtype).itemsize):
                os.utime(path)
                return self._map(path, dtype, size)
            why = "the file is damaged"
        except (OSError, ValueError) as error:
            why = str(error)
        _LOG.warning("The %s kept for %s are worked out anew: %s", kind, model.rules.id, why)
        return None

    def _map(self, path: Path, dtype: str, size: int) -> npt.NDArray[Any]:
        """A file as a table of so many. Raises OSError, and ValueError where it is not one."""
        found = np.memmap(path, dtype=dtype, mode="r", shape=(size,))
        under: object = found.base
        if isinstance(under, mmap.mmap):
            with self._lock:
                self._maps[under] = path
        return found

    def _make_room(self) -> None:
        """Remove what was used longest ago, until all tables together keep to their share.

        Times are those of the files, set when one is mapped; what this process has mapped is in use. Whoever
        has mapped what goes may go on with it.
        """
        if self._folder is None:
            return
        with self._lock:
            in_use = set(self._maps.values())
        found = list[tuple[bool, int, int, Path]]()
        for path in self._folder.glob("*.*"):
            with suppress(OSError):
                status = path.stat()
                if path.suffix[1:] in KINDS:
                    found.append((path in in_use, status.st_mtime_ns, status.st_size, path))
        left = sum(size for _, _, size, _ in found)
        for _, _, size, path in sorted(found)[:-1]:
            if left > self._most_bytes:
                left -= size
                with suppress(OSError):
                    path.unlink()

    def _keep(self, model: Model, kind: str, pieces: Iterable[Floats]) -> None:
        """Write a file so that it is either whole or not there, after a power cut too."""
        path = self._path(model, kind)
        if path is None:
            return
        part = path.with_suffix(f".{kind}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            data = (np.ascontiguousarray(each, "<f8").data.cast("B") for each in pieces)
            write_pieces(part, sealed(path.name, data))
            part.replace(path)
        except OSError as error:
            _LOG.warning("%s could not be kept: %s", path.name, error)
            with suppress(OSError):
                part.unlink(missing_ok=True)
        if kind != SO_FAR:  # a process of its own keeps those, and does not know what is in use
            self._make_room()
