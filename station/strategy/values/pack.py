"""A solution as bytes, to ship or to keep, and back.

Shipped tables hold whole multiples of 1e-7 points in 32 bits, so that no value is off by more than 5e-8,
where 32-bit floats would be off by 8e-6; their bytes stand in four planes, which zlib packs better. Tables
that are kept for house rules are 64-bit floats.
"""

import struct
import zlib

import numpy as np

from messages.errors import BadInputError
from station.strategy.model.model import Model
from station.strategy.values.solver import Solution

STEP = 1e-7
_MAGIC = b"YACHT"
_HEADER = struct.Struct("<5s16s?Q")
HEADER_BYTES = _HEADER.size


def pack(solution: Solution, *, exact: bool) -> bytes:
    """The values as bytes; `exact` keeps all 64 bits of each.

    Raises BadInputError where values are too large for the shorter form (from 429 points on).
    """
    values = solution.values
    if exact:
        raw = values.astype("<f8").tobytes()
    else:
        steps = np.rint(values / STEP)
        if steps.min() < 0 or steps.max() >= 2**32:
            raise BadInputError("tables/too_large")
        raw = steps.astype("<u4").view(np.uint8).reshape(-1, 4).T.tobytes()
    game = solution.model.fingerprint.encode()
    return _HEADER.pack(_MAGIC, game, exact, len(values)) + zlib.compress(raw, 9)


def fingerprint(header: bytes) -> str:
    """Which game's values these are; "" for bytes that are no table."""
    if len(header) < HEADER_BYTES:
        return ""
    magic, name, _, _ = _HEADER.unpack_from(header)
    return name.decode("ascii", "replace") if magic == _MAGIC else ""


def unpack(model: Model, data: bytes) -> Solution:
    """The solution of that model again; BadInputError for bytes that are damaged or of another game."""
    try:
        _, _, exact, size = _HEADER.unpack_from(data)
    except struct.error as error:
        raise BadInputError("tables/damaged") from error
    if fingerprint(data) != model.fingerprint or size != model.layout.size:
        raise BadInputError("tables/other_game")
    room = size * (8 if exact else 4)
    try:
        raw = zlib.decompress(memoryview(data)[HEADER_BYTES:], bufsize=room)
    except zlib.error as error:
        raise BadInputError("tables/damaged") from error
    if len(raw) != room:
        raise BadInputError("tables/damaged")
    if exact:
        return Solution(model, np.frombuffer(raw, dtype="<f8").astype(np.float64))
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(4, size)
    return Solution(model, np.ascontiguousarray(planes.T).view("<u4").ravel() * STEP)
