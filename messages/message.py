"""A sentence for people, before it is words: a key of the catalogue with named values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

Value = Union[str, int, float, date, "Message", tuple["Value", ...]]
"""What fills a placeholder: a name or dice as text, a number, a day, another message, or a list of these."""


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """A text in no language yet; compares and hashes by key and values.

    key: of the catalogues (`messages/catalogues`), its parts divided by slashes. values: what fills the
    placeholders. Names, dice and numbers are never translated; a message among the values is put into
    words like the one it is in, and a tuple becomes a list ("Ana, Ben and Cleo").
    `str` gives it in English, for logs.

    >>> message = Message("roll/none_left", name="Ana")
    >>> message, str(message)
    (Message('roll/none_left', name='Ana'), 'Ana has no roll left: pick a box.')
    """

    key: str
    items: tuple[tuple[str, Value], ...]

    def __init__(self, key: str, /, **values: Value) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "items", tuple(sorted(values.items())))

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by the names of their placeholders."""
        return MappingProxyType(dict(self.items))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> "CoreSchema":
        """In the API a message is text."""
        from pydantic_core import core_schema  # noqa: PLC0415 - only the API description asks

        return core_schema.str_schema()

    def __repr__(self) -> str:
        values = "".join(f", {name}={value!r}" for name, value in self.items)
        return f"Message({self.key!r}{values})"

    def __str__(self) -> str:
        from messages.catalogue import text  # noqa: PLC0415 - words are looked up only where they are needed

        return text(self)


OWN_WORDS = "own-words"
"""Key of what people wrote themselves in several languages."""


def in_languages(texts: Mapping[str, str]) -> Message:
    """A text that people wrote in several languages; the first one is used where a language is missing.

    >>> str(in_languages({"de": "Einser", "en": "Ones"}))
    'Ones'
    """
    return Message(OWN_WORDS, first=next(iter(texts.values())), **texts)
