"""Games of the family that come as rule files (docs/house-rules.md), each from published rules it names."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from messages.errors import BadInputError
from station.rules import RuleSet, built_in, built_in_ids, parse_rules

NO_OTHERS: Mapping[str, str] = MappingProxyType({})


@cache
def texts() -> dict[str, str]:
    """Their texts by id, which is what each file is called."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(".toml"))
    return {
        file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
        for file in sorted(found, key=lambda file: file.name)
    }


def rules_of(rules_id: str, own: Mapping[str, str] = NO_OTHERS) -> RuleSet:
    """The rule set of that id, built in or one of these; BadInputError, naming those there are, for no other.

    own: texts by id of the station's own house rules, which come first.

    >>> rules_of("crag").dice, rules_of("yatzy").dice
    (3, 5)
    """
    if rules_id in own:
        return parse_rules(own[rules_id], rules_id)
    if rules_id in texts():
        return _parsed(rules_id)
    check(rules_id, {**texts(), **own})
    return built_in(rules_id)


def check(rules_id: str, others: Mapping[str, str]) -> None:
    """Raise BadInputError, naming those there are, unless the rule set is built in or one of the others."""
    known = (*built_in_ids(), *others)
    if rules_id not in known:
        raise BadInputError("rules/no-such-set", code="rules/unknown", rules=rules_id, known=known)


@cache
def _parsed(rules_id: str) -> RuleSet:
    return parse_rules(texts()[rules_id], rules_id)
