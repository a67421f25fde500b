"""What the web room needs from others, as protocols: tests and the composition root pass it in."""

from collections.abc import Mapping
from typing import Any, Protocol


class Subscription(Protocol):
    """One listener of the table."""

    def get(self, timeout_s: float) -> dict[str, Any] | None:
        """The latest state not given before, waiting up to `timeout_s` seconds; None when there is none."""

    def close(self) -> None:
        """Stop listening."""


class Table(Protocol):
    """The table as the web sees it."""

    def snapshot(self) -> dict[str, Any]:
        """The state as of now (design.md, section 5)."""

    def execute(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out one command; gives the new state.

        Raises RefusalError (HTTP 422; 409 when the version is stale) and BadInputError (HTTP 400).
        """

    def subscribe(self) -> Subscription:
        """Listen: the first `get` gives the state as of now."""
