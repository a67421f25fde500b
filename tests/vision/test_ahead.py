"""What is begun ahead is told once, as it would be without, and says what went wrong to who asks."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.golden.verdicts import FOLDER, labels, read
from vision.ahead import Prefetched, thread_ahead
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading


class Never(Executor):
    """A thread that does not come to anything."""

    def submit(self, _work: Callable[..., object], /, *_told: object, **_more: object) -> Future:  # type: ignore[type-arg]
        return Future()


@pytest.fixture(scope="module")
def ahead() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_what_was_begun_is_worked_out_once_and_elsewhere(ahead: Executor) -> None:
    asked: list[tuple[int, str]] = []

    def double(number: int) -> int:
        asked.append((number, threading.current_thread().name))
        return 2 * number

    known = Prefetched(double, ahead)
    known.begin(4)
    known.begin(4)
    ahead.submit(lambda: None).result()  # it has come to what was begun before
    assert (known[4], known[4], known[5]) == (8, 8, 10)
    assert [number for number, _ in asked] == [4, 5]
    assert asked[0][1] != asked[1][1] == threading.current_thread().name


def test_what_nobody_has_come_to_is_worked_out_by_who_asks() -> None:
    known: Prefetched[int, int] = Prefetched(lambda number: 2 * number, Never())
    known.begin(4)
    assert known[4] == 8


def test_what_goes_wrong_is_told_who_asks(ahead: Executor) -> None:
    known: Prefetched[int, float] = Prefetched(lambda number: 1 / number, ahead)
    known.begin(0)
    ahead.submit(lambda: None).result()
    with pytest.raises(ZeroDivisionError):
        known[0]


def test_no_thread_is_left() -> None:
    with thread_ahead(wanted=True) as ahead:
        assert ahead.submit(lambda: 3).result() == 3
    with pytest.raises(RuntimeError):
        ahead.submit(lambda: 3)
    with thread_ahead(wanted=False) as ahead:
        assert ahead is None


def _untimed(reading: Reading) -> Reading:
    return replace(reading, ms=0.0)


@pytest.mark.thorough
@pytest.mark.parametrize("row", labels(FOLDER / "stills")[::4], ids=lambda row: row["case"])
def test_a_reading_is_the_same_with_a_thread_ahead(row: dict, ahead: Executor) -> None:  # type: ignore[type-arg]
    image = load(FOLDER / "stills" / row["file"])
    alone = _untimed(read(row))
    assert _untimed(Reader(row["asked"], ahead=ahead).read(image)) == alone
    assert _untimed(Reader(row["asked"], ahead=Never()).read(image)) == alone
    assert _untimed(Reader(row["asked"], ahead=ahead).glance(image)) == _untimed(
        Reader(row["asked"]).glance(image)
    )
