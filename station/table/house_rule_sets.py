"""The house rules that may be chosen at the table."""

from collections.abc import Callable, Mapping

from station import games
from station.game.log.state import rule_set
from station.rules import RuleSet


class HouseRuleSets:
    """texts: gives the texts of house rules by id, asked for whenever somebody may choose one."""

    def __init__(self, texts: Callable[[], Mapping[str, str]]) -> None:
        self._texts = texts
        self._read: tuple[Mapping[str, str], tuple[RuleSet, ...]] = ({}, ())

    def text(self, rules_id: str | None) -> str:
        """The text of these house rules; empty for rules that come with the station.

        Raises BadInputError, naming those there are, for rules there are not.
        """
        if not rules_id:
            return ""
        texts = self._texts()
        games.check(rules_id, texts)
        return texts.get(rules_id, "")

    def sets(self) -> tuple[RuleSet, ...]:
        """All there are; read anew only when their texts have changed."""
        texts = self._texts()
        if texts != self._read[0]:
            self._read = (texts, tuple(rule_set(rules_id, text) for rules_id, text in texts.items()))
        return self._read[1]
