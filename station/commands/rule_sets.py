"""Finds a rule set by its id, or by the path of a house-rules file."""

from pathlib import Path

from messages.errors import BadInputError
from station.rules import RuleSet, built_in, parse_rules


def find(name: str) -> RuleSet:
    """The rule set of that id, or of that file where the name ends in `.toml`.

    Raises BadInputError for an id there is not, a file that cannot be read, or one with a mistake in it.
    """
    return load(Path(name)) if name.endswith(".toml") else built_in(name)


def load(path: Path) -> RuleSet:
    """The house rules of a TOML file; errors as `find`."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not a text in UTF-8.", code="rules/bad_file") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}.", code="rules/no_file") from error
    return parse_rules(text, path.name)
