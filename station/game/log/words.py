"""The words of a line of notation: quoted texts and numbers."""

import json

number_of = int
"""A number. Raises ValueError for a word that is none."""


def quoted(value: object) -> str:
    """The text as JSON, without escapes for letters."""
    return json.dumps(value, ensure_ascii=False)


def unquoted(word: str) -> str:
    """The quoted text. Raises ValueError for a word without quotation marks."""
    value = json.loads(word)
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - of the text, as for all other words
    return value
