"""The extras that are installed, found by their entry points, and what they add to settings and words."""

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import create_model

from messages import catalogue
from station.config.settings import Config

if TYPE_CHECKING:
    from station.integrations.extra import Extra

log = logging.getLogger(__name__)

GROUP = "yacht.extra"


@dataclass(frozen=True, slots=True)
class Installed:
    """settings: the station's own with those of all extras. failed: what is wrong, of those not to be had."""

    extras: "Mapping[str, Extra[Any]]"
    settings: type[Config]
    failed: Mapping[str, str]


@cache
def installed() -> Installed:
    """All of them, by name. One that cannot be loaded takes nothing else with it."""
    extras: dict[str, Extra[Any]] = {}
    failed: dict[str, str] = {}
    settings = Config
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            extra: Extra[Any] = entry.load()
            with_it = _with(settings, extra)
            catalogue.add(Path(str(sys.modules[entry.module].__file__)).parent / "words")
        except Exception as error:
            log.exception("the extra %s cannot be loaded", entry.name)
            failed[entry.name] = str(error) or type(error).__name__
        else:
            extras[entry.name], settings = extra, with_it
    return Installed(extras, settings, failed)


def _with(settings: type[Config], extra: "Extra[Any]") -> type[Config]:
    """These settings and the groups of an extra, which may add to one there is, but not replace it."""
    for name, field in extra.settings.model_fields.items():
        known = settings.model_fields.get(name)
        if known is not None and known.annotation not in getattr(field.annotation, "__mro__", ()):
            raise ValueError(f"there are settings '{name}' already")
    return create_model("Config", __base__=(extra.settings, settings))
