"""The number of the project, and what CHANGELOG says about a version."""

import re

from packaging.version import Version

NUMBER = re.compile(r'^version = "([^"]+)"$', re.MULTILINE)
"""In pyproject.toml."""
SEMVER = re.compile(r"\d+\.\d+\.\d+")


class NotReleasableError(Exception):
    """Why there can be no release."""


def current(project: str) -> str:
    r"""The number in the text of pyproject.toml.

    >>> current('[project]\nversion = "0.1.0"\n')
    '0.1.0'
    """
    found = NUMBER.search(project)
    if found is None:
        raise NotReleasableError("pyproject.toml has no version")
    return found[1]


def numbered(project: str, version: str) -> str:
    """The same text with another number. Raises NotReleasableError unless it is a higher one.

    >>> numbered('version = "0.1.0"', "0.2.0")
    'version = "0.2.0"'
    """
    before = current(project)
    if not SEMVER.fullmatch(version) or Version(version) <= Version(before):
        raise NotReleasableError(f"the version has to be like {before}, and higher; not '{version}'")
    return NUMBER.sub(f'version = "{version}"', project, count=1)


def notes(changes: str, version: str) -> str:
    r"""What CHANGELOG says about a version, without its heading. Raises NotReleasableError.

    >>> notes("# Changes\n\n## 0.2.0 (2026-11-22)\n\n- More.\n\n## 0.1.0\n", "0.2.0")
    '- More.\n'
    """
    _, found, rest = changes.partition(f"\n## {version} (")
    section = rest.partition("\n")[2].partition("\n## ")[0].strip()
    if not found or not section:
        raise NotReleasableError(f"CHANGELOG.md says nothing about {version}")
    return section + "\n"
