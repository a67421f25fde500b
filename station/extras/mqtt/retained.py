"""The messages that a broker retains for the station, recorded so that they can be removed."""

import json
import logging
from collections.abc import Collection
from pathlib import Path

from messages.atomic_write import replace_file
from messages.regular_file import read_regular

log = logging.getLogger(__name__)

FILE_NAME = "retained.json"
"""In the data folder: the topics."""
TOPICS_MAX, LENGTH_MAX = 200, 500
"""A station leaves five, and one for each sensor of a player; a file that says more was not written here."""


class RetainedTopics:
    """Topics with something the broker keeps. Used by one thread. path: where they are remembered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)

    def others(self, now: Collection[str]) -> tuple[str, ...]:
        """Topics used under an earlier name, and not any more."""
        return tuple(sorted(self._known - set(now)))

    def keep(self, topics: Collection[str]) -> None:
        """Remember these alone. Where that cannot be written, it is logged."""
        known = frozenset(topics)
        if known == self._known:
            return
        self._known = known
        try:
            replace_file(self._path, json.dumps(sorted(known)).encode())
        except OSError as error:
            log.warning("mqtt: what is left at the broker cannot be remembered: %s", error)


def _read(path: Path) -> frozenset[str]:
    """The topics in the file; none where it is missing or holds anything else."""
    try:
        content = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    if not isinstance(content, list) or len(content) > TOPICS_MAX or not all(map(_is_topic, content)):
        return frozenset()
    return frozenset(content)


def _is_topic(content: object) -> bool:
    return (
        isinstance(content, str)
        and 0 < len(content) <= LENGTH_MAX
        and content.isprintable()
        and not set("+#") & set(content)
    )
