"""Publish and subscribe: each listener gets the latest state and never a backlog."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Subscription(Generic[T]):
    """One listener of a publisher."""

    def __init__(self, publisher: "Publisher[T]") -> None:
        self._publisher = publisher
        self._seen = 0
        self._open = True

    def get(self, timeout_s: float | None = None) -> T | None:
        """Wait for a state not given before; only the latest one is.

        None when `timeout_s` seconds passed without one, or when the subscription or publisher is closed.
        """
        publisher = self._publisher
        with publisher.changed:
            publisher.changed.wait_for(lambda: self._seen < publisher.count or not self.open, timeout_s)
            if self._seen >= publisher.count or not self.open:
                return None
            self._seen = publisher.count
            return publisher.state

    @property
    def open(self) -> bool:
        """Whether news can still come."""
        return self._open and not self._publisher.closed

    def close(self) -> None:
        """Stop listening; wakes a waiting `get`."""
        with self._publisher.changed:
            self._open = False
            self._publisher.changed.notify_all()


class Publisher(Generic[T]):
    """The interface by which the state is published."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.state: T | None = None
        self.count = 0
        self.closed = False

    def publish(self, state: T) -> None:
        """Tell everybody the latest state."""
        with self.changed:
            self.state = state
            self.count += 1
            self.changed.notify_all()

    def subscribe(self) -> Subscription[T]:
        """A new listener; its first `get` gives the state there is."""
        return Subscription(self)

    def close(self) -> None:
        """No more news; wakes everyone."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
