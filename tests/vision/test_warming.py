"""What a reading needs is there before the first throw."""

from vision.inference import networks
from vision.reader import Reader
from vision.reading import Status
from vision.warming import some_dice, warm, warmed


def test_every_network_is_loaded_and_asked(monkeypatch):
    loaded, load_model = [], networks.load_model

    def noted(name, folder):
        loaded.append(name)
        return load_model(name, folder)

    monkeypatch.setattr(networks, "load_model", noted)
    networks.shared.cache_clear()
    warmed.clear()
    warm((640, 360))
    assert sorted(loaded) == ["faces", *3 * ["finder"], "hands", "leaning", "witness"]


def test_its_picture_is_one_that_is_read_to_the_end():
    reading = Reader(5).read(some_dice((1280, 720)))
    assert (reading.status, reading.faces) == (Status.READY, (1, 2, 3, 4, 5))
