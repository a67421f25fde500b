"""Recorded outputs: files that say, in text a person can read, what the station gives to programs outside.

`YACHT_RECORD=1 make unit` writes them anew after an intended change; `git diff` then shows what changed.
"""

import json
import os
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

UNORDERED = frozenset({"required", "oneOf", "enum"})
"""Lists of a JSON schema whose order means nothing."""


def in_order(value: Any, key: str = "") -> Any:
    """The same JSON, sorted wherever an order means nothing.

    >>> in_order({"required": ["b", "a"], "anyOf": [2, 1]})
    {'anyOf': [2, 1], 'required': ['a', 'b']}
    """
    if isinstance(value, dict):
        return {name: in_order(each, name) for name, each in sorted(value.items())}
    if isinstance(value, list):
        items = [in_order(each) for each in value]
        return sorted(items, key=repr) if key in UNORDERED else items
    return value


def assert_recorded(path: Path, value: Any) -> None:
    """Fail with the difference where this JSON is not what the file says."""
    assert_text_recorded(path, json.dumps(in_order(value), indent=1, ensure_ascii=False) + "\n")


def assert_text_recorded(path: Path, text: str) -> None:
    """Fail with the difference where this text is not what the file says."""
    if os.environ.get("YACHT_RECORD"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != recorded:
        lines = unified_diff(recorded.splitlines(), text.splitlines(), "recorded", "now", lineterm="", n=2)
        pytest.fail(f"{path.name} differs (YACHT_RECORD=1 records an intended change):\n" + "\n".join(lines))
