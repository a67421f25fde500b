"""The list of what a station is made of names what is declared, in the versions that are pinned."""

import re
import tomllib

from release.sbom import document
from tests.conftest import ROOT


def test_it_names_every_declared_package_in_its_pinned_version():
    told = {each["name"]: each["version"] for each in document()["components"]}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {*declared, "cannon-es"} <= set(told)
    text = (ROOT / "requirements" / "run.txt").read_text().lower()
    pins = {name: set(re.findall(rf"(?m)^{name}==([^;\s]+)", text)) for name in declared}
    assert {name: told[name] for name in declared if told[name] not in pins[name]} == {}
