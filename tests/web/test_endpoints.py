"""An address that describes itself is handed what its models say, and shows it in the description."""

from flask import Flask, Response, jsonify
from pydantic import BaseModel, ConfigDict

from web.core import endpoints
from web.core.endpoints import endpoint


class Wanted(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana"}]})
    name: str


class Asked(BaseModel):
    category: str
    slots: str | None = None


class Told(BaseModel):
    """What there is."""

    number: int


def app() -> Flask:
    made = Flask("tried")

    @made.post("/api/v1/things/<int:number>")
    @endpoint(gives=Told, errors=(503,))
    def do(number: int, wanted: Wanted) -> Response:
        """Do it."""
        return jsonify({"number": number, "name": wanted.name})

    @made.get("/api/v1/things")
    @endpoint(gives="A picture.", kind="image/jpeg")
    def ask(query: Asked) -> Response:
        """Ask for it."""
        return jsonify(query.model_dump())

    @made.get("/page")
    def page() -> str:
        return ""

    return made


def test_the_view_gets_models():
    client = app().test_client()
    assert client.post("/api/v1/things/3", json={"name": "Ana"}).get_json() == {"number": 3, "name": "Ana"}
    assert client.get("/api/v1/things?category=x").get_json() == {"category": "x", "slots": None}
    assert client.post("/api/v1/things/3", data="{}").status_code == 415


def test_the_description_follows_from_the_routes():
    described, schemas = endpoints.describe(app(), Told)
    assert set(described) == {"/things", "/things/{number}"}
    do, ask = described["/things/{number}"]["post"], described["/things"]["get"]
    assert do["summary"] == "Do it"
    assert do["parameters"][0]["schema"] == {"type": "integer"}
    assert do["requestBody"]["content"]["application/json"]["example"] == {"name": "Ana"}
    assert set(do["responses"]) == {"200", "400", "413", "415", "503"}
    assert [(each["name"], each["required"]) for each in ask["parameters"]] == [
        ("category", True),
        ("slots", False),
    ]
    assert ask["responses"]["200"] == {"description": "A picture.", "content": {"image/jpeg": {}}}
    assert set(schemas) == {"Wanted", "Told"}
