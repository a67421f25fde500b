"""Which pictures nobody learns from or tunes on: three tenths, chosen by their names alone."""

import hashlib


def held_out(name: str) -> bool:
    """Whether the picture `name` (folder/file) is only for measuring.

    >>> [held_out(f"easy/{k}.jpg") for k in range(6)]
    [False, False, False, False, True, False]
    """
    digest = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()
    return int(digest, 16) % 10 < 3
