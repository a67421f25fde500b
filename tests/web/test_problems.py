"""One error shape, wherever it goes wrong."""

import logging

import pytest

from station.errors import StoreError
from tests.web.helpers import Stage


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
            "/api/v1/commands",
            {"data": b"\xff\xfe", "content_type": "application/json"},
            400,
            "request/bad",
        ),
        ("POST", "/api/v1/commands", {"json": [1]}, 400, "request/bad"),
        ("POST", "/api/v1/commands", {"json": {"command": "x" * 70_000}}, 413, "request/too_large"),
        (
            "POST",
            "/api/v1/commands",
            {"json": {}, "headers": {"Sec-Fetch-Site": "cross-site"}},
            403,
            "request/forbidden",
        ),
    ],
)
def test_the_shape(stage: Stage, method: str, path: str, kwargs: dict, status: int, code: str):
    answer = stage.client.open(path, method=method, **kwargs)
    assert answer.status_code == status
    assert set(answer.get_json()) == {"error"}
    assert answer.get_json()["error"]["code"] == code
    assert answer.get_json()["error"]["message"].endswith(".")


def test_405_says_what_is_allowed(stage: Stage):
    assert "POST" in stage.client.get("/api/v1/commands").headers["Allow"]


def test_a_person_at_a_wrong_address_gets_a_page(stage: Stage):
    answer = stage.client.get("/nowhere")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert "There is nothing at this address." in answer.get_data(as_text=True)


def test_a_full_disk_is_said_and_not_a_crash(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    def full(_: object) -> None:
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


def test_every_answer_carries_the_policy(stage: Stage):
    for path in ("/", "/tv", "/nowhere", "/api/v1/state", "/api/v1/nope"):
        headers = stage.client.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
