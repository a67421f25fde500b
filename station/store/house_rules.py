"""The house rules of a station: TOML files in a folder, known by the id that stands in them."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path

from messages.atomic_write import replace_file
from messages.errors import BadInputError
from messages.regular_file import read_regular
from station.rules import RuleSet, parse_rules
from station.store.database_file import not_written

log = logging.getLogger(__name__)

RULES_FOLDER = "rules"
"""Name of the folder of house rules in the data folder."""


class HouseRules:
    """The house rules of one folder, read once; `save` and `delete` keep folder and memory alike.

    A file with a mistake is left out and the log says why, so that it never keeps the station from starting.
    The texts are one value, replaced after each change, so that readers never wait for the disk.
    changed: called when others can be chosen than before.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.changed: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._texts: Mapping[str, str] = {}
        self.reload()

    def reload(self) -> None:
        """Read the folder again."""
        found: dict[str, str] = {}
        with self._lock:
            for path in sorted(self._folder.glob("*.toml")) if self._folder.is_dir() else ():
                try:
                    text = _text_of(path)
                    found[parse_rules(text, path.name).id] = text
                except (BadInputError, UnicodeDecodeError, OSError) as error:
                    log.warning("house rules left out: %s", error)
            self._texts = found
        self.changed()

    def texts(self) -> Mapping[str, str]:
        """The text of each, by id, as they are now."""
        return self._texts

    def save(
        self, text: str, admit: Callable[[str, Mapping[str, int]], None] = lambda _id, _there: None
    ) -> RuleSet:
        """Save house rules, replacing those with the same id.

        admit: called with the id and the size in bytes of all saved rules; raises if there is no room. Raises
        BadInputError with line and reason for a mistake in the text, and StoreError if the file cannot be
        written.
        """
        made = parse_rules(text)
        with self._lock:
            admit(made.id, {rules_id: len(each.encode()) for rules_id, each in self._texts.items()})
            path = self._place(made.id)
            try:
                replace_file(path, text.encode())
            except OSError as error:
                raise not_written(path, error) from error
            self._texts = {**self._texts, made.id: text}
        self.changed()
        return made

    def delete(self, rules_id: str) -> bool:
        """Forget house rules; False when there are none of that id. A running game goes on with them.

        Raises StoreError when a file cannot be removed.
        """
        with self._lock:
            if rules_id not in self._texts:
                return False
            for path in self._files(rules_id):
                try:
                    path.unlink()
                except OSError as error:
                    raise not_written(path, error) from error
            self._texts = {name: each for name, each in self._texts.items() if name != rules_id}
        self.changed()
        return True

    def _files(self, rules_id: str) -> list[Path]:
        """The files with rules of that id, whatever their names; at a start the last one counts."""
        return [path for path in sorted(self._folder.glob("*.toml")) if _id_of(path) == rules_id]

    def _place(self, rules_id: str) -> Path:
        """The file they stand in, or one that holds no other rules."""
        named = chain([rules_id], (f"{rules_id}-{number}" for number in count(2)))
        free = (path for name in named if not _id_of(path := self._folder / f"{name}.toml"))
        return (self._files(rules_id) or [next(free)])[-1]


def drop_others(written: Sequence[Path]) -> None:
    """Remove files beside these that hold the same rules and might count in their place. Raises OSError."""
    known = {_id_of(path) for path in written} - {None}
    for path in {beside for file in written for beside in file.parent.glob("*.toml")} - set(written):
        if _id_of(path) in known:
            path.unlink()


def _text_of(path: Path) -> str:
    """The text of a file, without the mark and the line ends of Windows."""
    return read_regular(path).decode("utf-8-sig").replace("\r\n", "\n")


def _id_of(path: Path) -> str | None:
    """The id of the rules in a file; None where there are none."""
    try:
        return parse_rules(_text_of(path)).id
    except (BadInputError, UnicodeDecodeError, OSError):
        return None
