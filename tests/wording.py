"""Sentences as a person gets them: none whose words, or what belongs into them, are lacking."""

from collections.abc import Iterator
from functools import cache

import pytest

from messages.catalogue import PLACEHOLDER, entries, text
from messages.message import OWN_WORDS, Message, Value


@cache
def placeholders(key: str, language: str) -> frozenset[str]:
    """What a sentence has to be told. Fails where it has no words."""
    if key == OWN_WORDS:  # of those who wrote the rules
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
    assert not missing, f"{sorted(missing)} not told: {message!r}"
    for value in message.values.values():
        in_words(value, language)
    return text(message, language)


SAID_MOST = 20_000
said: set[str] = set()
"""Messages that were found to have words, as they are written: most are brought about again and again."""


@pytest.fixture(scope="module", autouse=True)
def every_message_has_words() -> Iterator[None]:
    """In a folder whose conftest has this, no test brings a message about that cannot be put into words."""
    make = Message.__init__

    def made(self: Message, key: str, /, **values: Value) -> None:
        make(self, key, **values)
        written = repr(self)
        if written not in said:
            in_words(self)
            if len(said) == SAID_MOST:
                said.clear()
            said.add(written)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Message, "__init__", made)
        yield
