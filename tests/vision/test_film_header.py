"""Films whose end is missing, by what their heads say."""

from pathlib import Path

import pytest

from vision.film_header import cut_short

FTYP = (16).to_bytes(4, "big") + b"ftypisom" + bytes(4)


def box(length: int, name: bytes = b"mdat") -> bytes:
    return length.to_bytes(4, "big") + name


@pytest.mark.parametrize(
    ("content", "cut"),
    [
        (b"RIFF" + (20).to_bytes(4, "little") + bytes(20), False),
        (b"RIFF" + (20).to_bytes(4, "little") + bytes(19), True),
        (b"RIFF" + b"\xff" * 4 + bytes(19), False),  # never closed: nobody knows
        (FTYP + box(24) + bytes(16), False),
        (FTYP + box(24) + bytes(15), True),
        (FTYP + box(1) + (32).to_bytes(8, "big") + bytes(16), False),
        (FTYP + box(1) + (33).to_bytes(8, "big") + bytes(16), True),
        (FTYP + box(0) + bytes(3), False),  # to the end of the file
        (FTYP + box(7) + bytes(30), False),
        (FTYP, False),
        (b"", False),
        (b"\x1aE\xdf\xa3" + bytes(30), False),
    ],
)
def test_cut_short(tmp_path: Path, content: bytes, cut: bool) -> None:  # noqa: FBT001 - of the table
    film = tmp_path / "film"
    film.write_bytes(content)
    assert cut_short(film) is cut
