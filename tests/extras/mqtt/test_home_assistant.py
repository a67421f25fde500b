"""What the station says of itself, by the rules of Home Assistant, and its templates on a real table."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import jinja2
import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from messages.catalogue import languages
from station.contract import commands
from station.contract.averages import Average
from station.contract.view import as_json
from station.extras.mqtt import MqttSettings, home_assistant
from station.table.table import Table
from tests.conftest import ROOT
from tests.recorded import assert_recorded

BLUEPRINTS = sorted((ROOT / "examples" / "home-assistant").glob("*.yaml"))

# The rules, as the documentation of the MQTT integration and of each platform lists them:
# https://www.home-assistant.io/integrations/mqtt/, .../sensor.mqtt/, .../device_trigger.mqtt/ and so on.
Published = Annotated[str, Field(pattern=r"^[^+#\x00]+$")]
Template = Annotated[str, Field(pattern=r"\{[{%].*[}%]\}")]
Qos = Literal[0, 1, 2]


class Part(BaseModel):
    """A part of a device. A key nobody knows is passed over there, and a mistake here."""

    model_config = ConfigDict(extra="forbid")
    qos: Qos = 0


class Entity(Part):
    unique_id: Annotated[str, Field(min_length=1)]
    name: str | None = None
    entity_category: Literal["config", "diagnostic"] | None = None
    icon: str | None = None
    json_attributes_topic: Published | None = None
    json_attributes_template: Template | None = None


class Sensor(Entity):
    platform: Literal["sensor"]
    device_class: Literal["enum"] | None = None
    options: Annotated[list[str], Field(min_length=1)] | None = None
    state_class: Literal["measurement"] | None = None
    suggested_display_precision: Annotated[int, Field(ge=0)] | None = None
    state_topic: Published | None = None
    value_template: Template | None = None

    def model_post_init(self, _: Any) -> None:
        if (self.options is not None) != (self.device_class == "enum"):
            raise ValueError("options belong to the device class enum")


class BinarySensor(Entity):
    platform: Literal["binary_sensor"]
    device_class: Literal["problem", "connectivity", "running"] | None = None
    state_topic: Published | None = None
    payload_on: str = "ON"
    payload_off: str = "OFF"
    value_template: Template | None = None


class Button(Entity):
    platform: Literal["button"]
    command_topic: Published
    payload_press: str = "PRESS"
    retain: Literal[False] = False


class Image(Entity):
    platform: Literal["image"]
    image_topic: Published
    content_type: Literal["image/jpeg", "image/png"] = "image/jpeg"


class Trigger(Part):
    platform: Literal["device_automation"]
    automation_type: Literal["trigger"]
    type: str
    subtype: str
    topic: Published
    payload: str | None = None
    value_template: Template | None = None


AnyPart = Annotated[Sensor | BinarySensor | Button | Image | Trigger, Field(discriminator="platform")]


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Device(Told):
    identifiers: Annotated[list[str], Field(min_length=1)]
    name: str
    model: str
    sw_version: str


class Origin(Told):
    name: str
    sw_version: str


class Discovery(Told):
    device: Device
    origin: Origin
    availability_topic: Published
    state_topic: Published
    qos: Qos
    components: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")], AnyPart]


class SensorAlone(Sensor):
    """One that is introduced by a topic of its own, where its platform stands."""

    device: Device
    origin: Origin
    availability_topic: Published


RULES = TypeAdapter(Discovery)
PEOPLE = (
    Average('Ben "the" {{ Dice }}', "yacht-1938", 12, 5, 187.5, 231),
    Average("Ana", "scorecard", 1, 0, None, None),
)


def settings(**more: object) -> MqttSettings:
    return MqttSettings.model_validate(
        {"host": "broker", "station": "kitchen", "home_assistant": "homeassistant", **more}
    )


def told(language: str = "en", **more: object) -> dict[str, Any]:
    return json.loads(json.dumps(home_assistant.device(settings(**more), language, "0.2.0")))


def sensors(language: str = "en") -> dict[str, Any]:
    return home_assistant.average_sensors(settings(), PEOPLE, language, "0.2.0")


@pytest.mark.parametrize("language", languages())
def test_an_average_is_a_sensor_of_the_same_device(language):
    found = sensors(language)
    assert len(found) == len(PEOPLE)
    view = json.loads(json.dumps(home_assistant.averages(PEOPLE)))
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701 - no HTML
    for (topic, told_of), person in zip(found.items(), PEOPLE, strict=True):
        assert re.fullmatch(r"homeassistant/sensor/[a-zA-Z0-9_-]+/config", topic)
        sensor = SensorAlone.model_validate({"platform": "sensor", **told_of})
        assert sensor.device.identifiers == told()["device"]["identifiers"]
        assert person.name in sensor.name
        shown = [
            environment.from_string(told_of[key]).render(value_json=view)
            for key in ("value_template", "json_attributes_template")
        ]
        assert shown[0] == str(person.average)  # "None" is unknown there
        assert json.loads(shown[1]) == asdict(person)
        assert environment.from_string(told_of["value_template"]).render(value_json={"players": {}}) == "None"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("allowed", [False, True])
def test_it_is_what_home_assistant_takes(language, allowed):
    found = RULES.validate_python(told(language, control=allowed, picture=allowed))
    ids = [part.unique_id for part in found.components.values() if isinstance(part, Entity)]
    assert len(ids) == len(set(ids))
    names = [part.name for part in found.components.values() if isinstance(part, Entity)]
    assert len(names) == len(set(names))
    kinds = {part.platform for part in found.components.values()}
    assert kinds >= {"sensor", "binary_sensor", "device_automation"}
    assert ({"button", "image"} <= kinds) == allowed
    assert ({"button", "image"} & kinds == set()) == (not allowed)


def test_the_discovery_message_is_the_recorded_one():
    message = {home_assistant.topic(settings()): told(control=True, picture=True), **sensors()}
    assert_recorded(Path(__file__).parent / "golden" / "discovery.json", message)


def test_the_rules_tell_what_is_wrong():
    for part, key, value in (
        ("phase", "device_class", None),
        ("phase", "value_templat", "{{ 1 }}"),
        ("yacht", "automation_type", "condition"),
        ("camera", "unique_id", ""),
    ):
        wrong = told()
        wrong["components"][part][key] = value
        with pytest.raises((ValidationError, ValueError)):
            RULES.validate_python(wrong)


def test_the_topic_of_the_discovery_message():
    assert re.fullmatch(
        r"homeassistant/device/[a-zA-Z0-9_-]+/config", home_assistant.topic(settings(station="a-b_1"))
    )


def rendered(name: str, view: Any, key: str = "value_template") -> str:
    """What Home Assistant makes of a template and a state."""
    part = told()["components"][name]
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701 - no HTML
    return environment.from_string(part[key]).render(value_json=view)


def test_its_templates_say_how_the_table_is():
    table = Table()
    view = as_json(table.snapshot())
    assert (rendered("phase", view), rendered("player", view), rendered("scores", view)) == ("lobby", "", "")
    players = ["Ana", 'Ben "the" {{ Dice }}', *(f"Somebody with a lo{i:02}" for i in range(10))]
    view = as_json(
        table.execute(commands.StartGame.model_validate({"players": players, "rules": "yacht-1938"}))
    )
    assert (rendered("phase", view), rendered("player", view)) == ("throwing", "Ana")
    assert rendered("waiting", view) == view["waiting_for"]
    table.execute(commands.EnterRoll(faces=(6, 6, 6, 6, 6)))
    view = as_json(table.execute(commands.ScoreBox(category="yacht")))
    assert rendered("player", view) == players[1]
    assert rendered("scores", view).startswith("Ana 50, Ben")
    assert len(rendered("scores", view)) == home_assistant.STATE_MAX
    by_name = json.loads(rendered("scores", view, "json_attributes_template"))
    assert list(by_name) == players
    assert by_name["Ana"] == 50
    view = as_json(table.execute(commands.EndGame(winners=(0,))))
    assert (rendered("winner", view), rendered("phase", view)) == ("Ana", "finished")
    assert rendered("camera", view) == "OFF"
    table.camera(name="Pi camera", ok=False, message="gone")
    assert rendered("camera", as_json(table.snapshot())) == "ON"


def test_triggers_take_what_happens_now_and_nothing_late():
    for name, event in {
        "yacht": {"kind": "great_throw", "throw": "yacht", "late": False},
        "game_over": {"kind": "game_over", "late": False},
    }.items():
        part = told()["components"][name]
        assert rendered(name, event) == part["payload"]
        assert rendered(name, event | {"late": True}) != part["payload"]
        assert part["topic"].endswith(f"/event/{event['kind']}")


@pytest.mark.parametrize("path", BLUEPRINTS, ids=lambda path: path.stem)
def test_blueprints_ask_for_what_they_use_and_name_what_there_is(path: Path):
    text = path.read_text(encoding="utf-8")
    assert "\t" not in text
    asked = set(
        re.findall(r"^    (\w+):$", text.split("  input:\n")[1].split("\ntriggers:")[0], re.MULTILINE)
    )
    assert set(re.findall(r"!input (\w+)", text)) == asked
    assert "domain: automation" in text
    parts = told()["components"]
    triggers = {(part["type"], part["subtype"]) for part in parts.values() if "type" in part}
    used = set(re.findall(r"type: (\w+)\n    subtype: (\w+)", text))
    assert used <= triggers
    phases = re.findall(r"^      - (\w+)$", text, re.MULTILINE)
    assert set(phases) <= set(parts["phase"]["options"])
    assert used or phases


def test_there_are_blueprints():
    assert [path.stem for path in BLUEPRINTS] == ["lamps", "speaker", "television"]
