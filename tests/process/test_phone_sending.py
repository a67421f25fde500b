"""What a phone sends to a real station, and who may send."""

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tests.cameras.test_phone import LARGE
from tests.e2e.helpers import PATIENCE_S, StationProcess
from web.phone.phone_routes import PICTURE_MAX_BYTES

pytestmark = pytest.mark.slow


class PhoneLine(http.client.HTTPConnection):
    """A screen with its cookie, on one kept connection."""

    def __init__(self, station: StationProcess, cookie: str = "") -> None:
        super().__init__("127.0.0.1", int(station.url.rsplit(":", 1)[1]), timeout=PATIENCE_S)
        self.cookie = cookie
        if not cookie:
            self.request("GET", "/camera")
            page = self.getresponse()
            page.read()
            assert page.headers["Permissions-Policy"].startswith("camera=(self)")
            self.cookie = page.headers["Set-Cookie"].partition(";")[0]

    def ask(self, path: str, body: bytes, kind: str = "application/json", **more: str) -> dict[str, Any]:
        self.request(
            "POST", f"/api/v1/phone/{path}", body, {"content-type": kind, "cookie": self.cookie, **more}
        )
        return self.told()

    def told(self) -> dict[str, Any]:
        answer = self.getresponse()
        found: dict[str, Any] = json.loads(answer.read())
        return found if answer.status == 200 else {"status": answer.status, **found["error"]}

    def want(self, *, on: bool = True) -> str:
        return str(self.ask("ask", json.dumps({"on": on}).encode())["standing"])

    def look(self) -> dict[str, Any]:
        self.request("GET", "/api/v1/phone", headers={"cookie": self.cookie})
        return self.told()

    def picture(self, picture: bytes = LARGE, kind: str = "image/jpeg") -> dict[str, Any]:
        return self.ask("picture?small=false", picture, kind)


@pytest.fixture
def station(tmp_path: Path) -> Iterator[StationProcess]:
    process = StationProcess(tmp_path, camera="phone")
    yield process
    process.stop()


def test_one_sends_and_is_told_what_is_wrong_with_it_until_a_host_chooses(
    station: StationProcess, tmp_path: Path
):
    with ExitStack() as stack:
        phone, other = (stack.enter_context(closing(PhoneLine(station))) for _ in range(2))
        assert phone.picture()["code"] == "phone/not_camera"
        assert phone.want() == "camera"
        first = phone.sock
        assert phone.picture()["standing"] == "camera"
        station.wait_for(lambda it: it["camera"]["ok"] and it["camera"]["name"] == "phone")
        wrong = {
            "phone/damaged": phone.picture(LARGE[:300]),
            "phone/not_jpeg": phone.picture(kind="text/plain"),
            "request/invalid": phone.ask("word", b'{"trouble": "thunder"}'),
        }
        assert {name: each["code"] for name, each in wrong.items()} == {name: name for name in wrong}
        assert [each["status"] for each in wrong.values()] == [400, 415, 400]
        assert phone.sock is first, "one kept connection"
        assert other.picture(LARGE + bytes(90_000))["code"] == "phone/not_camera", "refused by its head"
        assert phone.picture(LARGE + bytes(PICTURE_MAX_BYTES))["status"] == 413
        phone.want(on=False)

        host, phone = (
            stack.enter_context(closing(PhoneLine(station, cookie)))
            for cookie in (station.host(), other.cookie)
        )
        assert phone.want() == "asks"
        assert not phone.look()["may_choose"]
        (asking,) = host.look()["asking"]
        choice = json.dumps({"id": asking["id"]}).encode()
        assert phone.ask("choose", choice)["status"] == 403
        assert host.ask("choose", b'{"id": "nobody"}')["code"] == "phone/gone"
        host.ask("choose", choice)
        assert phone.picture()["standing"] == "camera"
        assert host.want() == "asks", "the host's own phone asks as well"
    station.stop()
    again = StationProcess(tmp_path, camera="phone")
    try:
        with closing(PhoneLine(again, phone.cookie)) as same:
            assert same.picture()["standing"] == "camera", "it is known after a restart"
    finally:
        again.stop()
