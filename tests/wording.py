"""Sentences as a person reads them."""

from functools import cache

from messages.catalogue import PLACEHOLDER, entries, text
from messages.message import OWN_WORDS, Message, Value


@cache
def placeholders(key: str, language: str) -> frozenset[str]:
    """The names of the values of a sentence. Fails where it has no words."""
    if key == OWN_WORDS:
        return frozenset()
    assert key in entries(language), f"no words for {key}"
    entry = entries(language)[key]
    forms = [entry] if isinstance(entry, str) else [*entry.values(), "{count}"]
    return frozenset(name for form in forms for name, _ in PLACEHOLDER.findall(form))


def in_words(message: Value, language: str = "en") -> str:
    """The sentence. Fails where a key has no words, or a placeholder no value, also within its values."""
    if isinstance(message, tuple):
        return " ".join(in_words(each, language) for each in message)
    if not isinstance(message, Message):
        return str(message)
    missing = placeholders(message.key, language) - set(message.values)
    assert not missing, f"{sorted(missing)} missing: {message!r}"
    for value in message.values.values():
        in_words(value, language)
    return text(message, language)
