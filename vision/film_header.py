"""What the head of a film says of its length, whoever plays it: OpenCV takes a cut one for a short one."""

from pathlib import Path

UNKNOWN = 0xFFFFFFFF
"""What stands for the length of an AVI that was written into a pipe, or never closed."""


def cut_short(path: Path) -> bool:
    """Whether the end of a film is missing. Raises OSError.

    Known of AVI (RIFF, its length after the first four bytes) and of MP4 and MOV (ISO/IEC 14496-12: boxes,
    each with its length); False for all others.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(8)
        if head[:4] == b"RIFF":
            stated = int.from_bytes(head[4:], "little")
            return stated != UNKNOWN and 8 + stated > size
        if head[4:] != b"ftyp":
            return False
        end = 0
        while end + 8 <= size:
            file.seek(end)
            box = file.read(16)
            length = int.from_bytes(box[:4], "big")
            if length == 1:  # too long for four bytes
                length = int.from_bytes(box[8:16], "big")
            if length < 8:  # no box; 0: it goes to the end of the file
                return False
            end += length
        return end > size
