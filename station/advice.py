"""Advice ready for use: loads tables that ship or were kept, works out others in the background, keeps them.

The one place of advice with a thread and files; all it computes comes from station.strategy.
"""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from station.errors import BadInputError
from station.rules import RuleSet, Sheet
from station.strategy.hints import Hint, hint
from station.strategy.model import Model
from station.strategy.pack import pack, unpack
from station.strategy.position import of_sheet
from station.strategy.solver import Solution, solve
from station.tables import shipped

_LOG = logging.getLogger(__name__)
_JOIN_S = 5.0


class Stage(StrEnum):
    """How far the values of a rule set are."""

    READY = "ready"
    WORKING = "working"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Preparation:
    """How far the values of a rule set are: `share` 0..1 is done, and a sentence for people."""

    stage: Stage
    share: float
    sentence: str


class _StoppedError(Exception):
    """Raised from within a computation to end it, when the station stops."""


class Advisor:
    """Hints for any rule set, house rules included.

    `data_dir` is where values of house rules are kept (below `advice/`); without one they are worked out
    anew each time. Safe to call from several threads. `close` ends what goes on in the background.
    """

    def __init__(self, data_dir: Path | None = None) -> None:
        self._folder = None if data_dir is None else data_dir / "advice"
        self._lock = threading.Lock()
        self._models: dict[RuleSet, Model] = {}
        self._solutions: dict[str, Solution] = {}
        self._preparations: dict[str, Preparation] = {}
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def hint(self, rules: RuleSet, sheet: Sheet, dice: tuple[int, ...], rolls_left: int) -> Hint | None:
        """All holds and boxes with their values; None while the values are being worked out.

        Raises BadInputError for dice or throws that cannot be.
        """
        solution = self.solution(rules)
        return None if solution is None else hint(solution, of_sheet(rules, sheet), dice, rolls_left)

    def solution(self, rules: RuleSet) -> Solution | None:
        """The values of a rule set; None while they are worked out in the background, which this begins."""
        found = self._at_hand(self._model(rules))
        if found is None:
            self._begin(self._model(rules))
        return found

    def solution_now(self, rules: RuleSet, progress: Callable[[float], None] | None = None) -> Solution:
        """The values of a rule set, however long it takes; `progress` hears the share done, 0..1."""
        model = self._model(rules)
        return self._at_hand(model) or self._work_out(model, progress)

    def preparation(self, rules: RuleSet) -> Preparation:
        """How far the values of a rule set are; begins to work them out where nobody has."""
        model = self._model(rules)
        if self.solution(rules) is not None:
            return Preparation(Stage.READY, 1.0, f"Advice for {rules.title} is ready.")
        with self._lock:
            return self._preparations[model.fingerprint]

    def close(self) -> None:
        """End what goes on in the background; what is unfinished is begun anew next time."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(_JOIN_S)

    def _model(self, rules: RuleSet) -> Model:
        """The rule set as arrays, made once."""
        with self._lock:
            found = self._models.get(rules)
        if found is None:
            found = Model(rules)
            with self._lock:
                self._models[rules] = found
        return found

    def _at_hand(self, model: Model) -> Solution | None:
        """The values from memory, from what ships, or from the disk."""
        with self._lock:
            found = self._solutions.get(model.fingerprint)
        if found is not None:
            return found if found.model is model else Solution(model, found.values)
        for data in (shipped(model), self._kept(model)):
            if data is None:
                continue
            try:
                found = unpack(model, data)
            except BadInputError as error:
                _LOG.warning("The values kept for %s are worked out anew: %s", model.rules.id, error)
                continue
            with self._lock:
                self._solutions[model.fingerprint] = found
            return found
        return None

    def _kept(self, model: Model) -> bytes | None:
        """What is on disk for a game, if anything that can be read."""
        if self._folder is None:
            return None
        try:
            return self._path(self._folder, model).read_bytes()
        except OSError:
            return None

    def _work_out(self, model: Model, progress: Callable[[float], None] | None) -> Solution:
        """Work out the values and keep them."""
        found = solve(model, progress)
        with self._lock:
            self._solutions[model.fingerprint] = found
        if self._folder is not None:
            try:
                _write(self._path(self._folder, model), pack(found, exact=True))
            except OSError as error:
                _LOG.warning("The values of %s could not be kept: %s", model.rules.id, error)
        return found

    @staticmethod
    def _path(folder: Path, model: Model) -> Path:
        """Where the values of a game are kept."""
        return folder / f"{model.fingerprint}.values"

    def _begin(self, model: Model) -> None:
        """Work out the values in a thread of its own, unless that has begun or failed."""
        name, title = model.fingerprint, model.rules.title

        def tell(share: float) -> None:
            if self._stopping.is_set():
                raise _StoppedError
            sentence = f"Working out the best play for {title}: {share:.0%}."
            with self._lock:
                self._preparations[name] = Preparation(Stage.WORKING, share, sentence)

        def work() -> None:
            try:
                self._work_out(model, tell)
            except _StoppedError:
                return
            except Exception as error:  # noqa: BLE001 - told to the players; the game goes on without hints
                _LOG.exception("The values of %s could not be worked out", model.rules.id)
                sentence = f"The best play for {title} could not be worked out: {error}"
                with self._lock:
                    self._preparations[name] = Preparation(Stage.FAILED, 0.0, sentence)

        with self._lock:
            if name in self._preparations or self._stopping.is_set():
                return
            sentence = f"Working out the best play for {title}: 0%."
            self._preparations[name] = Preparation(Stage.WORKING, 0.0, sentence)
            thread = threading.Thread(target=work, name=f"advice-{model.rules.id}", daemon=True)
            self._threads.append(thread)
        thread.start()


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it is either whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)
