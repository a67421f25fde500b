"""Sentences as a person gets them: none whose words, or what belongs into them, are lacking."""

from messages.catalogue import PLACEHOLDER, entries, text
from messages.message import Message, Value


def in_words(message: Value, language: str = "en") -> str:
    """The sentence. Fails where a key has no words, or a placeholder no value, also within its values."""
    if isinstance(message, tuple):
        return " ".join(in_words(each, language) for each in message)
    if not isinstance(message, Message):
        return str(message)
    assert message.key in entries(language), f"no words for {message!r}"
    entry = entries(language)[message.key]
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    wanted = {name for form in forms for name, _ in PLACEHOLDER.findall(form)}
    wanted |= set() if isinstance(entry, str) else {"count"}
    assert wanted <= set(message.values), f"{sorted(wanted - set(message.values))} not told: {message!r}"
    for value in message.values.values():
        in_words(value, language)
    return text(message, language)
