"""The house rules that may be chosen at the table."""

from collections.abc import Callable, Mapping
from hashlib import blake2b

from station import games


class HouseRuleSets:
    """texts: gives the texts of house rules by id, called whenever somebody may choose one."""

    def __init__(self, texts: Callable[[], Mapping[str, str]]) -> None:
        self._texts = texts
        self._read: tuple[Mapping[str, str] | None, str] = None, ""

    def text(self, rules_id: str | None) -> str:
        """The text of these house rules; empty for rules that come with the station.

        Raises BadInputError, naming those there are, for rules there are not.
        """
        if not rules_id:
            return ""
        texts = self._texts()
        games.check(rules_id, texts)
        return texts.get(rules_id, "")

    def version(self) -> str:
        """A fingerprint of these rules, stable over restarts; recomputed only when they have changed."""
        texts = self._texts()
        if texts != self._read[0]:
            self._read = texts, blake2b(repr(texts).encode(), digest_size=6).hexdigest()
        return self._read[1]
