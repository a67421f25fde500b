"""The extras that are installed, found by their entry points, and what they add to settings and words."""

import logging
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import create_model

from messages import catalogue
from station.config.settings import Config
from station.game.feature import features

if TYPE_CHECKING:
    from station.integrations.extra import Extra

log = logging.getLogger(__name__)

GROUP = "yacht.extra"


@dataclass(frozen=True, slots=True)
class Installed:
    """The installed extras, their settings, and those that failed to load.

    settings: the station's own with those of all features and extras. taken: by group, those of the latter
    that another machine's file may bring. failed: what is wrong, of extras that are not to be had.
    """

    extras: "Mapping[str, Extra[Any]]"
    settings: type[Config]
    taken: Mapping[str, Sequence[str]]
    failed: Mapping[str, str]


@cache
def installed() -> Installed:
    """All of them, by name. One that cannot be loaded takes nothing else with it."""
    extras: dict[str, Extra[Any]] = {}
    failed: dict[str, str] = {}
    settings, taken = Config, dict[str, Sequence[str]]()
    for feature in features():
        if feature.settings is not None:
            settings = _with(settings, feature.settings)
        taken |= feature.taken
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            extra: Extra[Any] = entry.load()
            with_it = _with(settings, extra.settings)
            catalogue.add(Path(str(sys.modules[entry.module].__file__)).parent / "words")
        except Exception as error:
            log.exception("the extra %s cannot be loaded", entry.name)
            failed[entry.name] = str(error) or type(error).__name__
        else:
            extras[entry.name], settings = extra, with_it
            taken |= extra.taken
    return Installed(extras, settings, taken, failed)


def _with(settings: type[Config], added: type[Any]) -> type[Config]:
    """These settings and the groups of another, which may add to one there is, but not replace it."""
    for name, field in added.model_fields.items():
        known = settings.model_fields.get(name)
        if known is not None and known.annotation not in getattr(field.annotation, "__mro__", ()):
            raise ValueError(f"there are settings '{name}' already")
    return create_model("Config", __base__=(added, settings))
