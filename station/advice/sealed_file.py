"""Files that end in a digest of their content and their name: what a card has changed is not believed."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

DIGEST_BYTES = 32
CHUNK_BYTES = 1 << 20


def sealed(name: str, pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """The content of the file of that name, with its digest behind it."""
    digest = _digest(name)
    for piece in pieces:
        digest.update(piece)
        yield piece
    yield digest.digest()


def seal(path: Path, name: str) -> None:
    """Put the digest behind what a file holds that is going to have that name. Raises OSError."""
    with path.open("rb+") as file:
        for piece in sealed(name, _chunks(path, path.stat().st_size)):
            end = piece
        file.seek(0, os.SEEK_END)
        file.write(end)


def is_whole(path: Path, size: int) -> bool:
    """Whether a file holds so many bytes, and its digest is theirs. Raises OSError."""
    if path.stat().st_size != size + DIGEST_BYTES:
        return False
    *_, end = sealed(path.name, _chunks(path, size))
    with path.open("rb") as file:
        file.seek(size)
        return file.read() == end


def _digest(name: str) -> "hashlib.blake2b":
    return hashlib.blake2b(name.encode(), digest_size=DIGEST_BYTES)


def _chunks(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while size > 0 and (chunk := file.read(min(size, CHUNK_BYTES))):
            size -= len(chunk)
            yield chunk
