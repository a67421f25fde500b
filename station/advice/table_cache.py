"""Tables of values and of chances: those that ship, and those kept on disk once they were worked out."""

import logging
import os
from contextlib import suppress
from pathlib import Path

import numpy as np

from messages.errors import BadInputError
from station.advice.tables import shipped
from station.strategy.distributions import Distributions, spans
from station.strategy.model import Model
from station.strategy.pack import pack, unpack
from station.strategy.solver import Solution

_LOG = logging.getLogger(__name__)


class TableCache:
    """Finds and keeps tables; `folder` is where they are kept, None to keep nothing.

    A file that is damaged or cannot be written is told to the log, and the table is worked out anew.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def solution(self, model: Model) -> Solution | None:
        """The values of a game, shipped or kept; None if there are none."""
        for data in (shipped(model), self._read(model)):
            if data is not None:
                try:
                    return unpack(model, data)
                except BadInputError as error:
                    _LOG.warning("The values kept for %s are worked out anew: %s", model.rules.id, error)
        return None

    def keep_solution(self, solution: Solution) -> None:
        """Keep the values of a game."""
        path = self._path(solution.model, "values")
        if path is not None:
            self._write(path, pack(solution, exact=True))

    def distributions(self, model: Model) -> Distributions | None:
        """The distributions of a game, if they were kept; read from disk piece by piece when needed."""
        path, where = self._path(model, "odds"), spans(model)
        if path is None or not path.is_file():
            return None
        try:
            chances = np.memmap(path, dtype="<f4", mode="r")
        except (OSError, ValueError) as error:
            _LOG.warning("The chances kept for %s are worked out anew: %s", model.rules.id, error)
            return None
        if len(chances) != where.size:
            _LOG.warning("The chances kept for %s are worked out anew: the file is damaged", model.rules.id)
            return None
        return Distributions(model, where, chances)

    def keep_distributions(self, table: Distributions) -> None:
        """Keep the distributions of a game."""
        path = self._path(table.model, "odds")
        if path is not None:
            self._write(path, table.chances.astype("<f4", copy=False).data)

    def _path(self, model: Model, kind: str) -> Path | None:
        """Where a table of that kind is kept."""
        return None if self._folder is None else self._folder / f"{model.fingerprint}.{kind}"

    def _read(self, model: Model) -> bytes | None:
        """The values kept on disk, if they can be read."""
        path = self._path(model, "values")
        try:
            return None if path is None else path.read_bytes()
        except OSError:
            return None

    @staticmethod
    def _write(path: Path, data: bytes | memoryview) -> None:
        """Write a file so that it is either whole or not there."""
        part = path.with_suffix(f"{path.suffix}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            _LOG.warning("%s could not be kept: %s", path.name, error)
            with suppress(OSError):
                part.unlink(missing_ok=True)
