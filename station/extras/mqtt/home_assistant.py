"""Discovery by Home Assistant: the station as one device with all it offers.

Pure. The rules of MQTT device discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from messages.catalogue import text
from messages.message import Message
from station.contract.averages import Average
from station.contract.view import phases
from station.extras.mqtt import MqttSettings

STATE_MAX = 255
"""Home Assistant drops a state that is longer."""

PRESSES = ("confirm", "undo")
"""Buttons of the table that may be pressed from outside, where the settings allow it."""


def topic(settings: MqttSettings) -> str:
    """The topic of the device's discovery message."""
    return f"{settings.home_assistant}/device/{_id(settings)}/config"


def averages(people: Sequence[Average]) -> dict[str, Any]:
    """The averages to publish, each under a stable key made from the player's name."""
    return {"players": {_key(each.name): asdict(each) for each in people}}


def average_sensors(
    settings: MqttSettings, people: Sequence[Average], language: str, version: str
) -> dict[str, dict[str, Any]]:
    """A sensor for each of them, by the topic where it is introduced: they come and go, the device stays."""
    found = {}
    for each in people:
        key, name = _key(each.name), f"{_id(settings)}_{_key(each.name)}"
        theirs = f"value_json.players.get('{key}', {{}})"
        found[f"{settings.home_assistant}/sensor/{name}/config"] = {
            "unique_id": name,
            "name": text(Message("home-assistant/average", name=each.name), language),
            "state_topic": f"{settings.base}/averages",
            "value_template": f"{{{{ {theirs}.get('average') }}}}",
            "json_attributes_topic": f"{settings.base}/averages",
            "json_attributes_template": f"{{{{ {theirs} | tojson }}}}",
            "state_class": "measurement",
            "suggested_display_precision": 1,
            "availability_topic": f"{settings.base}/availability",
            "qos": 1,
            **_who(settings, language, version),
        }
    return found


def _key(name: str) -> str:
    return f"average_{sha256(name.encode()).hexdigest()[:12]}"


def _who(settings: MqttSettings, language: str, version: str) -> dict[str, Any]:
    """To what every part belongs."""
    return {
        "device": {
            "identifiers": [_id(settings)],
            "name": text(Message("home-assistant/device", station=settings.station_used), language),
            "model": "Yacht Station",
            "sw_version": version,
        },
        "origin": {"name": "Yacht Station", "sw_version": version},
    }


def _id(settings: MqttSettings) -> str:
    return f"yacht_{settings.station_used}"


def device(settings: MqttSettings, language: str, version: str) -> dict[str, Any]:
    """The device and its entities as JSON. language: of names; version: of the program."""
    base = settings.base
    parts = {**_entities(base), **_triggers(base)}
    if settings.control:
        parts |= {
            name: {"platform": "button", "command_topic": f"{base}/press", "payload_press": name, "qos": 1}
            for name in PRESSES
        }
    if settings.picture:
        parts["picture"] = {
            "platform": "image",
            "image_topic": f"{base}/picture",
            "content_type": "image/jpeg",
        }
    for name, part in parts.items():
        if part["platform"] != "device_automation":
            part["unique_id"] = f"{_id(settings)}_{name}"
            part["name"] = text(Message(f"home-assistant/{name}"), language)
    return {
        **_who(settings, language, version),
        "availability_topic": f"{base}/availability",
        "state_topic": f"{base}/state",
        "qos": 1,
        "components": parts,
    }


def _entities(base: str) -> dict[str, dict[str, Any]]:
    player = "value_json.players[value_json.active_player].name"
    scores = (
        "{% for each in value_json.players %}"
        "{{ each.name }} {{ each.total }}{{ ', ' if not loop.last }}{% endfor %}"
    )
    by_name = (
        "{% set ns = namespace(found={}) %}{% for each in value_json.players %}"
        "{% set ns.found = dict(ns.found, **{each.name: each.total}) %}{% endfor %}{{ ns.found | tojson }}"
    )
    return {
        "phase": {
            "platform": "sensor",
            "device_class": "enum",
            "options": list(phases()),
            "value_template": "{{ value_json.phase }}",
        },
        "player": {
            "platform": "sensor",
            "value_template": (
                "{{ " + player + " if value_json.active_player is not none"
                " and value_json.phase not in ('lobby', 'finished') else '' }}"
            ),
        },
        "waiting": {
            "platform": "sensor",
            "value_template": f"{{{{ value_json.waiting_for[:{STATE_MAX}] }}}}",
        },
        "scores": {
            "platform": "sensor",
            "value_template": f"{{% set all %}}{scores}{{% endset %}}{{{{ all[:{STATE_MAX}] }}}}",
            "json_attributes_topic": f"{base}/state",
            "json_attributes_template": by_name,
        },
        "winner": {
            "platform": "sensor",
            "value_template": f"{{{{ (value_json.winner | join(', '))[:{STATE_MAX}] }}}}",
        },
        "camera": {
            "platform": "binary_sensor",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "value_template": "{{ 'OFF' if value_json.camera.ok else 'ON' }}",
        },
    }


def _triggers(base: str) -> dict[str, dict[str, Any]]:
    """The triggers for automations; what is published late triggers none."""
    found = {
        "yacht": ("great_throw", "value_json.throw"),
        "game_over": ("game_over", "value_json.kind"),
    }
    return {
        name: {
            "platform": "device_automation",
            "automation_type": "trigger",
            "type": name,
            "subtype": "table",
            "topic": f"{base}/event/{kind}",
            "payload": "yacht" if name == "yacht" else kind,
            "value_template": f"{{{{ 'late' if value_json.late else {what} }}}}",
            "qos": 1,
        }
        for name, (kind, what) in found.items()
    }
