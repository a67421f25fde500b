"""Sounds of one's own: which file an event has, and that nothing else is given out."""

import unicodedata
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web.table import own_sounds


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    app = Flask(__name__)
    app.register_blueprint(own_sounds.create(tmp_path))
    folder = tmp_path / own_sounds.FOLDER
    folder.mkdir()
    for name in ("yacht.mp3", "Yacht-Ana.OGG", f"end-{unicodedata.normalize('NFD', 'Zoé')}.wav", "score.txt"):
        (folder / name).write_bytes(name.encode())
    (folder / "turn.mp3").mkdir()
    (tmp_path / "room.mp3").write_bytes(b"no sound of this folder")
    return app.test_client()


@pytest.mark.parametrize(
    ("event", "player", "name", "kind"),
    [
        ("yacht", "Ben", "yacht.mp3", "audio/mpeg"),
        ("yacht", "ana", "Yacht-Ana.OGG", "audio/ogg"),
        ("end", "Zoé", f"end-{unicodedata.normalize('NFD', 'Zoé')}.wav", "audio/wav"),
    ],
)
def test_a_file_is_found_by_event_and_player(
    client: FlaskClient, event: str, player: str, name: str, kind: str
):
    answer = client.get(f"/sounds/{event}", query_string={"player": player})
    assert (answer.data.decode(), answer.content_type) == (name, kind)


@pytest.mark.parametrize("event", ["end", "score", "turn", "..%2froom", "room", "yacht.mp3"])
def test_everything_else_is_none(client: FlaskClient, event: str):
    answer = client.get(f"/sounds/{event}", query_string={"player": "../room"})
    assert answer.status_code in {204, 404}


def test_a_file_that_is_too_large_is_none(client: FlaskClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(own_sounds, "MOST_BYTES", 5)
    assert client.get("/sounds/yacht").status_code == 204


def test_without_a_folder_there_is_none(tmp_path: Path):
    app = Flask(__name__)
    app.register_blueprint(own_sounds.create(tmp_path))
    assert app.test_client().get("/sounds/yacht").status_code == 204
