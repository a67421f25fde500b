"""How news reaches listeners: each gets the latest state and never a backlog."""

import threading
from typing import Any


class Subscription:
    """One listener's view of a board."""

    def __init__(self, board: "Board") -> None:
        self._board = board
        self._seen = 0
        self._open = True

    def get(self, timeout_s: float | None = None) -> dict[str, Any] | None:
        """Wait for a state not given before; only the latest one is.

        None when `timeout_s` seconds passed without one, or when the subscription or board is closed.
        """
        board = self._board
        with board.changed:
            board.changed.wait_for(lambda: self._seen < board.count or not self.open, timeout_s)
            if self._seen >= board.count or not self.open:
                return None
            self._seen = board.count
            return board.state

    @property
    def open(self) -> bool:
        """Whether news can still come."""
        return self._open and not self._board.closed

    def close(self) -> None:
        """Listen no more; wakes a waiting `get`."""
        with self._board.changed:
            self._open = False
            self._board.changed.notify_all()
        self._board.leave(self)


class Board:
    """Where the state is posted. `listeners` counts who is subscribed."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.state: dict[str, Any] | None = None
        self.count = 0
        self.closed = False
        self._listeners: set[Subscription] = set()

    def publish(self, state: dict[str, Any]) -> None:
        """Post the latest state."""
        with self.changed:
            self.state = state
            self.count += 1
            self.changed.notify_all()

    def subscribe(self) -> Subscription:
        """A new listener; its first `get` gives the state there is."""
        subscription = Subscription(self)
        with self.changed:
            self._listeners.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Forget a listener."""
        with self.changed:
            self._listeners.discard(subscription)

    @property
    def listeners(self) -> int:
        """How many listen."""
        with self.changed:
            return len(self._listeners)

    def close(self) -> None:
        """No more news; wakes everyone."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
