"""Any module of the game and its listeners may be the first to be imported: none leads back to itself."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

FOLDERS = ("station/features", "station/game", "station/integrations", "station/extras")
EACH_FIRST = """
import os, sys
import babel.dates, click, flask, messages.message, numpy, paho.mqtt.client, pydantic, sqlite3, waitress
for name in sys.argv[1:]:
    if os.fork() == 0:
        try:
            __import__(name)
        except ImportError as error:
            print(f"{name}: {error}", flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.slow
def test_each_can_be_imported_first():
    files = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in files]
    assert len(names) > 50
    call = [sys.executable, "-c", EACH_FIRST, *sorted(names)]
    assert subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout == ""
