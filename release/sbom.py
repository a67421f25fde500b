"""`make sbom`: what a station is made of, as CycloneDX 1.5: each package it needs, and its licence."""

import json
import re
import sys
from importlib import metadata, resources
from typing import Any

ROOT = "yacht-station"
NAME = re.compile(r"[A-Za-z0-9._-]+")
SCRIPT = "table/cannon-es.js"
"""The one script among the pages that others wrote; its head tells its name and version."""


def needed(name: str) -> dict[str, metadata.Distribution]:
    """A package and all it needs on this machine, by their names; extras are left out."""
    found: dict[str, metadata.Distribution] = {}
    ahead = [name]
    while ahead:
        one = re.sub(r"[-_.]+", "-", ahead.pop()).lower()
        if one in found:
            continue
        try:
            found[one] = metadata.distribution(one)
        except metadata.PackageNotFoundError:  # for another system or Python
            continue
        wanted = (each for each in found[one].requires or () if "extra ==" not in each)
        ahead += [match[0] for each in wanted if (match := NAME.match(each))]
    return found


def _component(name: str, package: metadata.Distribution) -> dict[str, Any]:
    about: Any = package.metadata  # of which Python 3.11 does not tell that it has `get`
    licence = about.get("License-Expression") or (about.get("License") or "").partition("\n")[0]
    made: dict[str, Any] = {
        "type": "application" if name == ROOT else "library",
        "name": name,
        "version": package.version,
        "purl": f"pkg:pypi/{name}@{package.version}",
    }
    return made | ({"licenses": [{"license": {"name": licence[:120]}}]} if licence else {})


def _script() -> dict[str, Any]:
    head = resources.files("web").joinpath(SCRIPT).read_text(encoding="utf-8")[:200]
    found = re.search(r"/\* (\S+) (\d+\.\d+\.\d+),", head)
    if found is None:
        raise ValueError(f"{SCRIPT} does not tell its version")
    name, version = found.groups()
    purl = f"pkg:npm/{name}@{version}"
    licences = [{"license": {"name": "MIT"}}]
    return {"type": "library", "name": name, "version": version, "purl": purl, "licenses": licences}


def document() -> dict[str, Any]:
    """The document; the same for the same environment."""
    packages = needed(ROOT)
    own = _component(ROOT, packages.pop(ROOT))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": [*(_component(name, packages[name]) for name in sorted(packages)), _script()],
    }


if __name__ == "__main__":
    json.dump(document(), sys.stdout, indent=1)
    sys.stdout.write("\n")
