"""One tree of errors; every leaf says in a sentence what is wrong and what to do.

The tree stands at the bottom of the house: every room may import it, it imports nothing.
"""


class YachtError(Exception):
    """Root of all errors that are meant to be read by a person.

    `str(error)` is a plain sentence. `code` is stable, of the form ``room/what``, for programs.
    """

    code = "station/error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code

    @property
    def message(self) -> str:
        """The sentence."""
        return str(self)


class BadInputError(YachtError, ValueError):
    """What came in cannot be understood: a file, an option, a request. Exit code 2, HTTP 400."""

    code = "input/bad"


class FailedError(YachtError, RuntimeError):
    """The request was understood but could not be carried out. Exit code 1."""

    code = "station/failed"


class CameraError(FailedError, OSError):
    """A camera is missing, busy, gone or silent; the message says which and what to do."""

    code = "camera/failed"


class StoreError(FailedError):
    """The database cannot be opened, read or written; nothing recorded before is lost."""

    code = "store/failed"


class RefusalError(YachtError):
    """The table declines a command in its present state. HTTP 422 (409 when the version is stale)."""

    code = "table/refused"
