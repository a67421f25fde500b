"""Finds a rule set by its id, or by the path of a house-rules file."""

from pathlib import Path

from messages.errors import BadInputError, cause
from station import games
from station.rules import RuleSet, parse_rules


def find(name: str) -> RuleSet:
    """The rule set of that id, or of that file where the name ends in `.toml`.

    Raises BadInputError for an id there is not, a file that cannot be read, or one with a mistake in it.
    """
    if name.endswith(".toml"):
        return load(Path(name))
    return games.rules_of(name)


def load(path: Path, mistakes: list[BadInputError] | None = None) -> RuleSet:
    """The house rules of a TOML file; errors as `find`, all of them in `mistakes` where that is given."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError("house-rules/no-text", code="rules/bad_file", path=str(path)) from error
    except OSError as error:
        raise BadInputError(
            "house-rules/unreadable", code="rules/no_file", path=str(path), why=cause(error)
        ) from error
    return parse_rules(text, path.name, mistakes)
