"""Recorded outputs: files that say, in text a person can read, what the station gives to programs outside.

`YACHT_RECORD=1 make unit` writes them anew after an intended change; `git diff` then shows what changed.
"""

import json
import os
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest


def assert_recorded(path: Path, value: Any) -> None:
    """Fail with the difference where this JSON is not what the file says."""
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("YACHT_RECORD"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != recorded:
        lines = unified_diff(recorded.splitlines(), text.splitlines(), "recorded", "now", lineterm="", n=2)
        pytest.fail(f"{path.name} differs (YACHT_RECORD=1 records an intended change):\n" + "\n".join(lines))
