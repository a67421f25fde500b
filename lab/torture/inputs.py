"""Trials of `make torture` with what people can type, upload or send: rules, names, pictures."""

import random
import time
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.torture.row import Row, times
from messages.errors import BadInputError, RefusalError, YachtError
from pictures.decode import decode
from station.contract.fields import NAME_MAX
from station.contract.names import JOINERS, clean_name, looks
from station.rules import Sheet, built_in, built_in_ids, potentials
from station.rules.house import parse_rules
from station.rules.sentences import describe
from station.rules.written import to_toml
from station.table.table import Table
from tests.asking import do, shown
from vision.reader import Reader
from vision.reading import Status

COUNT = 20_000
SLOW_S = 2.0
"""Nothing a guest can send may take a core for longer."""
SIGNS = "abZ0 .\"'=[]{}#\n\\\t-_éß🎲\u202e\u200b\x00,"
Picture = NDArray[np.uint8]


def rules(share: float) -> Row:
    """House rules made of built-in ones with something broken, and of what takes parsers long."""
    rng = random.Random(1)  # noqa: S311 - trials
    whole = [to_toml(built_in(name)).replace(f'id = "{name}"', 'id = "ours"') for name in built_in_ids()]
    count, wrong, lost, longest_s, note = times(COUNT, share), 0, 0, 0.0, ""
    for number in range(count):
        text = _endless(rng) if number % 100 == 0 else _broken(rng, rng.choice(whole))
        began_s = time.perf_counter()
        try:
            made = parse_rules(text[:60_000])
        except YachtError:
            pass
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            lost, note = lost + 1, note or f"{type(error).__name__}: {error}"
        else:
            # What was taken has to be playable: every box scores, every sentence can be rendered.
            try:
                describe(made)
                for _ in range(3):
                    dice = tuple(rng.randint(1, 6) for _ in range(made.dice))
                    if min(potentials(made, Sheet(), dice).values(), default=0) < 0:
                        wrong, note = wrong + 1, note or "negative points"
            except Exception as error:  # noqa: BLE001 - as above
                wrong, note = wrong + 1, note or f"taken, but {type(error).__name__}: {error}"
        longest_s = max(longest_s, time.perf_counter() - began_s)
    lost += longest_s > SLOW_S
    return Row("hostile house rules", count, lost, wrong, f"longest {longest_s:.2f} s {note}".strip())


def _broken(rng: random.Random, text: str) -> str:
    """A text with a few places changed, cut out or doubled."""
    for _ in range(rng.randint(1, 4)):
        at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + 40)
        text = rng.choice(
            (
                text[:at] + "".join(rng.choices(SIGNS, k=rng.randint(1, 6))) + text[end:],
                text[:at] + text[at:end] * rng.randint(2, 30) + text[end:],
                text[:at]
                + str(rng.choice((0, -1, 7, 2**63, 10**400, "nan", "inf", "[]", "{}")))
                + text[end:],
            )
        )
    return text


def _endless(rng: random.Random) -> str:
    """60 kB of one thing."""
    part = rng.choice(
        ("a.", '"a".', "a . ", "[", "{a=", '"""', "'", "[[a]]\n", "a=1\n", "1", "x = '''\n", "\\")
    )
    tail = rng.choice(("", "a=1", "]", '"'))
    return rng.choice(("", "x = ", "[", "id = ")) + part * (60_000 // len(part)) + tail


def names(share: float) -> Row:
    """Names of all signs there are: what is taken can be seen, fits, and is nobody else's."""
    rng = random.Random(2)  # noqa: S311 - trials
    count, lost, wrong, note = times(COUNT, share), 0, 0, ""
    table = Table()
    for number in range(count):
        name = _name(rng)
        try:
            kept = clean_name(name)
        except RefusalError:
            continue
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            lost, note = lost + 1, note or f"{name!r}: {type(error).__name__}"
            continue
        if not 0 < len(kept) <= NAME_MAX or any(sign in "\n\r\x00\u202e" for sign in kept) or not looks(kept):
            wrong, note = wrong + 1, note or repr(kept)
        if number % 20 == 0:
            try:
                do(table, {"command": "add_player", "name": name})
                do(table, {"command": "remove_player", "player": 0})
            except (RefusalError, BadInputError):
                continue
            if shown(table)["players"]:
                wrong, note = wrong + 1, note or f"{name!r} stays"
    return Row("hostile names", count, lost, wrong, note)


def _name(rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randint(0, 30)))
    if kind == 1:
        return "".join(chr(rng.randrange(0x300)) for _ in range(rng.randint(0, 12)))
    odd = [
        *JOINERS,
        "\u202e",
        "\u2066",
        "\ufeff",
        "\u0301",
        "\ud800",
        "🎲",
        " ",
        "<b>",
        "'",
        "{name}",
        "\x1b[2J",
    ]
    return "".join(rng.choices([*odd, "Ana", "Ben"], k=rng.randint(0, 9)))


def pictures(share: float) -> Row:
    """Damaged files and pictures without dice: read or refused, never sure of what is not there."""
    rng = np.random.default_rng(3)
    count, lost, wrong, longest_s, note = times(COUNT, share), 0, 0, 0.0, ""
    reader = Reader(5)
    for data, empty in _pictures(rng, count):
        began_s = time.perf_counter()
        try:
            reading = reader.read(decode(data))
        except BadInputError:
            pass
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            lost, note = lost + 1, note or f"{type(error).__name__}: {error}"
        else:
            if empty and reading.status is Status.READY:
                wrong, note = wrong + 1, note or f"sure of {reading.faces}"
        longest_s = max(longest_s, time.perf_counter() - began_s)
    lost += longest_s > SLOW_S
    return Row("hostile pictures", count, lost, wrong, f"longest {longest_s:.2f} s {note}".strip())


def _pictures(rng: np.random.Generator, count: int) -> Iterator[tuple[bytes, bool]]:
    """Files, and whether there are no dice in them that anybody could read."""
    for number in range(count):
        size = np.exp(rng.uniform(0, np.log(160), 2)).astype(int)
        image = _nothing(rng, (int(size[0]), int(size[1])), number)
        kind = (".png", ".jpg", ".bmp", ".webp")[number % 4]
        data = bytearray(cv2.imencode(kind, image)[1].tobytes())
        if number % 2:
            for at in rng.integers(0, len(data), rng.integers(1, 8)):
                data[at] = rng.integers(0, 256)
            if number % 3 == 0:
                data = data[: rng.integers(0, len(data))]
        yield bytes(data), True


def _nothing(rng: np.random.Generator, size: tuple[int, int], number: int) -> Picture:
    """Noise, spots, chequers, lines: no dice."""
    match number % 4:
        case 0:
            return rng.integers(0, 256, (*size, 3), dtype=np.uint8)
        case 1:
            image = np.full((*size, 3), rng.integers(0, 256, 3), np.uint8)
            for _ in range(int(rng.integers(1, 40))):
                x, y, radius = (int(each) for each in rng.integers(0, 160, 3))
                cv2.circle(image, (x, y), 1 + radius // 12, rng.integers(0, 256, 3).tolist(), -1)
            return image
        case 2:
            y, x = np.mgrid[: size[0], : size[1]] / rng.uniform(2, 30)
            return np.repeat(((np.sin(x) * np.sin(y) > 0) * 255).astype(np.uint8)[..., None], 3, axis=2)
        case _:
            return np.full((*size, 3), rng.integers(0, 256), np.uint8)
