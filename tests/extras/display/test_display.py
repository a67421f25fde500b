"""The small display: what it shows, over the real luma.oled to a chip that is only simulated."""

import threading
from collections.abc import Callable

import pytest
import smbus2
from PIL import Image

from messages.catalogue import languages
from messages.errors import BadInputError, FailedError
from station.config import parse
from station.extras.display import Display, ssd1306, table_display
from station.extras.display.picture import SIZE, picture
from station.extras.display.ssd1306 import Ssd1306
from station.extras.display.table_display import DARK_S, TableDisplay
from station.table.table import Table
from tests.asking import do
from tests.extras.display.fake_ssd1306 import Ssd1306Bus
from tests.extras.parts import parts
from tests.table.helpers import Clock, reading

# luma.oled asks Pillow as Pillow 14 will not be asked any more; 13 is pinned.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

ON = Display(kind="ssd1306")
DEADLINE_S = 60.0
NAME, DICE, WORDS = (0, 0, 128, 17), (0, 19, 128, 38), (0, 39, 128, 64)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Ssd1306Bus:
    bus = Ssd1306Bus()
    monkeypatch.setattr(smbus2, "SMBus", bus.open)
    return bus


@pytest.fixture
def table() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table


def lit(image: Image.Image, box: tuple[int, int, int, int]) -> int:
    """Points that are on in a part of the picture."""
    return sum(image.crop(box).convert("L").point(lambda value: value // 255).tobytes())


def now(table: Table, language: str = "en") -> Image.Image:
    return picture(table.snapshot(), language)


def test_what_is_shown_reaches_the_glass_point_by_point(bus, table):
    table.offer(reading(1, 2, 3, 4, 6))
    device = Ssd1306(ON)
    image = now(table)
    device.show(image)
    assert bus.seen().tobytes() == image.tobytes()
    assert bus.on
    device.close()
    assert lit(bus.seen(), (0, 0, *SIZE)) == 0
    assert bus.opened == 0, "the bus is given back"


@pytest.mark.parametrize("language", languages())
def test_it_shows_whose_turn_it_is_the_dice_and_what_is_waited_for(table, language):
    before = now(table, language)
    assert lit(before, NAME) > 50
    assert lit(before, DICE) == 0
    assert lit(before, WORDS) > 50
    table.offer(reading(1, 2, 3, 4, 6))
    offered = now(table, language)
    do(table, {"command": "accept_roll"})
    do(table, {"command": "set_held", "slots": [5]})
    held = now(table, language)
    assert lit(held, DICE) > lit(offered, DICE) > 0, "a die that is held is filled"
    do(table, {"command": "score_box", "category": "ones"})
    assert lit(now(table, language), DICE) == 0


def test_names_and_sentences_that_are_too_long_stay_on_the_glass(table):
    do(table, {"command": "rename_player", "player": 0, "name": "W" * 20})
    image = now(table)
    assert lit(image, (118, 0, 128, 17)) > 0, "the points keep their place"
    assert (image.mode, image.size) == ("1", SIZE)


def test_ten_dice_have_numerals(table):
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "double-cameroon"})
    table.offer(reading(*[1, 2, 3, 4, 5] * 2))
    image = now(table)
    assert lit(image, (118, 19, 128, 38)) > 0, "the tenth is there"


def test_only_the_sizes_and_addresses_there_are(bus):
    bus.address = 0x3D
    with pytest.raises(FailedError, match=r"0x3C on I2C bus 1 does not answer"):
        Ssd1306(ON)
    assert bus.opened == 0, "the next attempt opens it anew"
    Ssd1306(Display(kind="ssd1306", address=0x3D, turned=True)).close()
    with pytest.raises(FailedError, match="i2c-7"):
        Ssd1306(Display(kind="ssd1306", bus=7))
    with pytest.raises(BadInputError, match="address"):
        parse({"display": {"kind": "ssd1306", "address": 0x3E}})
    device = Ssd1306(Display(kind="ssd1306", address=0x3D))
    for wrong in (Image.new("1", (128, 32)), Image.new("L", SIZE)):
        with pytest.raises(FailedError):
            device.show(wrong)


def test_without_luma_it_says_how_to_get_it(monkeypatch):
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(ssd1306.importlib, "import_module", missing)
    with pytest.raises(FailedError, match="make install OLED=1"):
        Ssd1306(ON)


class Watched:
    """A display on the bus, shown by its thread; tells when something was shown."""

    def __init__(self, bus: Ssd1306Bus) -> None:
        self.bus, self.news, self.shown = bus, threading.Condition(), 0

    def __call__(self) -> "Watched":
        self.device = Ssd1306(ON)
        return self

    def show(self, image: Image.Image) -> None:
        self.device.show(image)
        with self.news:
            self.shown += 1
            self.news.notify_all()

    def close(self) -> None:
        self.device.close()

    def until(self, condition: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(condition, DEADLINE_S)


def test_it_follows_the_table_comes_back_and_does_not_burn_in(bus, table, monkeypatch):
    monkeypatch.setattr(table_display.TableDisplay, "retry_s", (0.01,))
    monkeypatch.setattr(table_display, "LOOK_S", 0.01)
    clock, watched = Clock(), Watched(bus)
    shows = TableDisplay(watched, parts(table), clock)
    shows.start()
    try:
        watched.until(lambda: watched.shown == 1)
        assert bus.seen().tobytes() == now(table).tobytes()
        bus.gone = True
        table.offer(reading(1, 2, 3, 4, 6))
        while "does not answer" not in str(shows.check().message):
            assert shows.wrong() is None
        bus.gone = False
        watched.until(lambda: bus.seen().tobytes() == now(table).tobytes())
        clock.pass_s(DARK_S + 1)
        watched.until(lambda: lit(bus.seen(), (0, 0, *SIZE)) == 0)
        do(table, {"command": "accept_roll"})
        watched.until(lambda: bus.seen().tobytes() == now(table).tobytes())
        assert str(shows.check().message) == "It shows the table."
    finally:
        shows.stop(DEADLINE_S)
    assert bus.opened == 0
