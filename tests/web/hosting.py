"""How a screen becomes host in tests: it asks, and types what a screen of the station itself shows."""

from typing import Any


def become_host(client: Any, app: Any = None) -> None:
    """Make the screen of `client` host. app: where another screen reads the number; else itself."""
    assert client.post("/api/v1/room/ask", json={"on": True}).status_code == 200
    near = client if app is None else app.test_client()
    number = near.get("/api/v1/room").get_json()["you"]["number"]
    answer = client.post("/api/v1/room/number", json={"number": number})
    assert answer.get_json()["you"]["host"], answer.get_json()
