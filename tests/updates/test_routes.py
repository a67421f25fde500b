"""`/api/v1/update`: everybody may look; what is installed is the host's."""

from pathlib import Path

import pytest

from station.updates.updates import Updates
from tests.updates.releases import HERE, cut_short, release
from tests.web.helpers import Stage
from tests.web.hosting import become_host

ZIP = {"content_type": "application/zip"}


@pytest.mark.slow
def test_only_the_host_sends_and_installs(tmp_path: Path):
    begun: list[str] = []
    updates = Updates(
        tmp_path / "data/program", tmp_path / "stick", HERE, restart=lambda: begun.append("anew")
    )
    stage = Stage(updates=updates)
    content = release(tmp_path, "0.3.0").read_bytes()
    looked = stage.client.get("/api/v1/update")
    assert looked.get_json() == {"running": "0.2.0", "newer": None, "fault": None, "failed": None}
    assert stage.client.post("/api/v1/update", data=content, **ZIP).status_code == 403
    assert stage.client.post("/api/v1/update/install", json={"version": "0.3.0"}).status_code == 403
    become_host(stage.client)
    assert stage.client.post("/api/v1/update", data=content, content_type="text/plain").status_code == 415
    cut_short(tmp_path / "yacht-station-0.3.0.zip")
    spoilt = (tmp_path / "yacht-station-0.3.0.zip").read_bytes()
    refused = stage.client.post("/api/v1/update", data=spoilt, **ZIP)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (400, "update/damaged")
    gone = stage.client.post("/api/v1/update/install", json={"version": "0.3.0"})
    assert (gone.status_code, gone.get_json()["error"]["code"]) == (422, "update/gone")
    assert not begun
    sent = stage.client.post("/api/v1/update", data=content, **ZIP)
    assert sent.get_json()["newer"] == {"version": "0.3.0", "notes": "More.", "place": "sent"}
    assert stage.client.post("/api/v1/update/install", json={"version": "0.3.0"}).status_code == 200
    assert begun == ["anew"]
    assert (tmp_path / "data/program/trial").read_text() == "0.3.0 2\n"


def test_a_station_that_was_not_installed_cannot_update_itself():
    stage = Stage()
    refused = stage.client.get("/api/v1/update")
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "update/not-here")
    assert "&#34;updates&#34;: false" in stage.client.get("/setup").get_data(as_text=True)
