"""What a screen asks of a station in tests: by which seat, as host, with a command."""

from typing import Any

ROLL = {"faces": [1, 2, 3, 4, 5]}


def post(client: Any, path: str, **body: object) -> Any:
    """A request about the room."""
    return client.post(f"/api/v1/room/{path}", json=body)


def room(client: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/room").get_json()
    return found


def you(client: Any) -> dict[str, Any]:
    """What the room says of this screen."""
    found: dict[str, Any] = room(client)["you"]
    return found


def code(answer: Any) -> str:
    """ "ok", or the code of the refusal."""
    return "ok" if answer.status_code == 200 else str(answer.get_json()["error"]["code"])


def command(client: Any, name: str, /, **fields: object) -> str:
    """Carry out a command; "ok", or the code of the refusal."""
    return code(client.post("/api/v1/commands", json={"command": name, **fields}))


def become_host(client: Any, app: Any = None) -> None:
    """Make the screen of `client` host. app: where another screen reads the number; else itself."""
    assert post(client, "ask", on=True).status_code == 200
    number = you(client if app is None else app.test_client())["number"]
    answer = post(client, "number", number=number)
    assert answer.get_json()["you"]["host"], answer.get_json()
