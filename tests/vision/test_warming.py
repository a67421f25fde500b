"""What a reading needs is there before the first throw."""

from vision.inference import finder, foot_network, networks, witness_network
from vision.reader import Reader
from vision.reading import Status
from vision.warming import some_dice, warm, warmed


def test_every_network_is_loaded_and_asked():
    loaded = (finder, foot_network, networks, witness_network)
    for module in loaded:
        module._shared.cache_clear()
    warmed.clear()
    warm((640, 360))
    assert [module._shared.cache_info().currsize for module in loaded] == [1, 1, 1, 1]


def test_its_picture_is_one_that_is_read_to_the_end():
    reading = Reader(5).read(some_dice((1280, 720)))
    assert (reading.status, reading.faces) == (Status.READY, (1, 2, 3, 4, 5))
