"""One error shape, wherever it goes wrong."""

import logging
import re

import pytest

from messages.errors import StoreError
from tests.web.helpers import Stage
from web.core import headers
from web.core.config import WebConfig


@pytest.mark.parametrize(
    ("method", "path", "kwargs", "status", "code"),
    [
        ("GET", "/api/v1/nope", {}, 404, "request/not_found"),
        ("GET", "/api/nope", {}, 404, "request/not_found"),
        ("PUT", "/api/v1/state", {}, 405, "request/method"),
        ("GET", "/api/v1/commands", {}, 405, "request/method"),
        ("POST", "/", {}, 405, "request/method"),
        ("POST", "/api/v1/commands", {"data": "{}"}, 415, "request/not_json"),
        ("POST", "/api/v1/commands", {"data": "{", "content_type": "application/json"}, 400, "request/bad"),
        (
            "POST",
            "/api/v1/score",
            {"data": b"\xff\xfe", "content_type": "application/json"},
            400,
            "request/bad",
        ),
        ("POST", "/api/v1/commands", {"json": [1]}, 400, "request/bad"),
        ("POST", "/api/v1/commands", {"json": {"command": "x" * 70_000}}, 413, "request/too_large"),
        ("POST", "/api/v1/commands", {"headers": {"Sec-Fetch-Site": "cross-site"}}, 403, "request/forbidden"),
    ],
)
def test_the_shape(shared_stage: Stage, method: str, path: str, kwargs: dict, status: int, code: str):
    answer = shared_stage.client.open(path, method=method, **kwargs)
    assert answer.status_code == status
    assert set(answer.get_json()) == {"error"}
    assert answer.get_json()["error"]["code"] == code
    assert answer.get_json()["error"]["message"].endswith(".")


def test_a_wrong_method_names_the_right_ones_and_a_person_at_a_wrong_address_gets_a_page(shared_stage: Stage):
    assert "POST" in shared_stage.client.get("/api/v1/commands").headers["Allow"]
    answer = shared_stage.client.get("/nowhere")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert "There is nothing at this address." in answer.text


def test_a_form_of_a_page_that_is_refused_is_answered_by_a_page(shared_stage: Stage):
    answer = shared_stage.client.post("/history/1/delete", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.mimetype) == (403, "text/html")  # until there is a host


def test_a_full_disk_is_said_and_not_a_crash(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise StoreError("The disk is full; nothing was recorded. Make room and try again.")

    monkeypatch.setattr(stage.table, "execute", full)
    answer = stage.client.post("/api/v1/commands", json={"command": "undo"})
    assert answer.status_code == 503
    assert "disk is full" in answer.get_json()["error"]["message"]


def test_what_nobody_foresaw_is_logged_and_not_shown(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken() -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(stage.table, "snapshot", broken)
    with caplog.at_level(logging.ERROR):
        answer = stage.client.get("/api/v1/state")
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
    assert "secret detail" in caplog.text


NAMES = (
    "localhost:8080", "192.168.1.20:8080", "[fd00::20]:8080", "[::1]", "yacht", "Yacht.Local:8080",
    "yacht.local.", "yacht.home.arpa", "yacht.fritz.box", "yacht.example.org", "den.house.example:8443",
    "This.Machine.example",
)  # fmt: skip


def test_the_station_answers_by_every_name_of_the_house(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(headers, "own_names", lambda: frozenset({"this.machine.example"}))
    stage = Stage(WebConfig(names=("yacht.example.org", "*.house.example")))
    for host in NAMES:
        assert stage.client.get("/api/v1/state", headers={"Host": host}).status_code == 200, host


def test_a_name_that_somebody_else_may_own_is_no_name_of_ours(shared_stage: Stage):
    for host in (
        "evil.example",
        "local.evil.example:8080",
        "192.168.1.20.evil.example",
        "[x",
        "a@evil.example",
    ):
        for path in ("/", "/api/v1/state"):
            answer = shared_stage.client.get(path, headers={"Host": host})
            assert answer.status_code == 403, host
            assert host in answer.text
            assert "Open it by its address" in answer.text


def test_a_command_comes_from_a_page_of_ours(stage: Stage):
    command = {"command": "add_player", "name": "Ana"}
    for origin in ("null", "http://[x", "http://evil.example", "http://localhost"):
        answer = stage.client.post("/api/v1/commands", json=command, headers={"Origin": origin})
        assert answer.status_code == (200 if origin == "http://localhost" else 403), origin


def test_what_belongs_to_a_page_has_its_policy(shared_stage: Stage):
    page = shared_stage.client.get("/").get_data(as_text=True)
    for name in ("base.css", "table.js", "sans-400.woff2"):
        found = re.search(rf'"(/assets/[^"]*/{re.escape(name)})"', page)
        assert found
        sent = shared_stage.client.get(found[1]).headers
        assert sent["X-Content-Type-Options"] == "nosniff"
        assert sent["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Content-Security-Policy" not in sent, "it would be sent thirty times"
    icon = page.partition('rel="icon" href="')[2].partition('"')[0]
    assert "default-src 'none'" in shared_stage.client.get(icon).headers["Content-Security-Policy"], (
        "a drawing is a page"
    )


def test_every_answer_carries_the_policy(shared_stage: Stage):
    for path in ("/", "/tv", "/nowhere", "/api/v1/state", "/api/v1/nope"):
        sent = shared_stage.client.get(path).headers
        assert "default-src 'none'" in sent["Content-Security-Policy"]
        assert "unsafe" not in sent["Content-Security-Policy"]
        assert sent["X-Content-Type-Options"] == "nosniff"
        # With "no-referrer" a browser sends "Origin: null" with our own forms, and they are turned away.
        assert sent["Referrer-Policy"] == "same-origin"


def test_pages_are_shown_in_a_frame_only_by_those_that_the_settings_name():
    """As a card of Home Assistant shows the television: live, without a cookie."""
    home = "http://home.local:8123"
    client = Stage(WebConfig(frames=(home,))).app.test_client(use_cookies=False)
    for path in ("/tv", "/api/v1/events"):
        sent = client.get(path)
        assert sent.status_code == 200
        assert sent.headers["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {home}")
        assert "X-Frame-Options" not in sent.headers
        sent.close()
