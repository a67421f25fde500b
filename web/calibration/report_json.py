"""The calibration report as JSON, and its description for the API."""

from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import TypeAdapter

from messages.message import Message
from station.camera.calibration_report import CalibrationReport
from web.core.i18n import tell


def as_json(value: object) -> Any:
    """A report for `jsonify`: messages become words in the language of the screen."""
    if isinstance(value, Message):
        return tell(value)
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    return [as_json(item) for item in value] if isinstance(value, tuple) else value


def schemas(ref_template: str) -> dict[str, Any]:
    """The JSON schemas of the report and all its parts, by name."""
    whole = TypeAdapter(CalibrationReport).json_schema(ref_template=ref_template, mode="serialization")
    return {**whole.pop("$defs"), CalibrationReport.__name__: whole}
