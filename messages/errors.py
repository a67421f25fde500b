"""One tree of errors; every leaf has a sentence that says what is wrong and what to do.

Every package may import it; it imports nothing but messages.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from messages.message import Message, Value


def cause(error: Exception) -> str:
    """The system's text for an error, without its number and the file, which is named anyway."""
    text = error.strerror if isinstance(error, OSError) else None
    return text or str(error) or type(error).__name__


def reason(error: Exception) -> Message | str:
    """Why something failed, for a sentence about it: an error of ours says it in the same language."""
    return error.message if isinstance(error, YachtError) else cause(error)


class YachtError(Exception):
    """The root of all errors with a message for people.

    key, values: the sentence, as for `messages.message.Message`, or a message that is there already. `code`
    is stable, of the form ``room/what``, for programs: the key, unless several sentences share one code.

    >>> error = YachtError("roll/none_left", name="Ana")
    >>> error.code, str(error)
    ('roll/none_left', 'Ana has no roll left: pick a box.')
    """

    def __init__(self, key: str | Message, /, *, code: str | None = None, **values: Value) -> None:
        super().__init__(key)
        self.message = key if isinstance(key, Message) else Message(key, **values)
        self.code = code or self.message.key

    def __str__(self) -> str:
        return str(self.message)


@contextmanager
def os_error_as(make_error: Callable[[str], YachtError]) -> Iterator[None]:
    """Raise an OSError from within as the error that `make_error` returns for the system's text."""
    try:
        yield
    except OSError as error:
        raise make_error(cause(error)) from error


class BadInputError(YachtError, ValueError):
    """An input cannot be understood: a file, an option, a request. Exit code 2, HTTP 400."""


class FailedError(YachtError, RuntimeError):
    """The request was understood but could not be carried out. Exit code 1."""


class CameraError(FailedError, OSError):
    """A camera is missing, busy, gone or silent; the message says which and what to do."""


class StoreError(FailedError):
    """The database cannot be opened, read or written; nothing recorded before is lost."""


class RefusalError(YachtError):
    """The table declines a command in its present state. HTTP 422 (409 when the version is stale)."""


class NotAllowedError(RefusalError):
    """This screen, or this person, may not do it; another may. HTTP 403."""
