"""The board by https, with a certificate of the club's own, and a copy of its evening taken meanwhile."""

import json
import sqlite3
import ssl
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from board.app import Board
from station.config import load_settings
from tests.conftest import ROOT
from tests.integrations.mosquitto import certificate


def test_the_board_serves_https_and_its_evening_can_be_copied_while_it_runs(tmp_path: Path):
    good, key = certificate(tmp_path, "localhost")
    settings = tmp_path / "club.toml"
    settings.write_text(f'certificate = "{good}"\nkey = "{key}"\nhttps_port = 0\n[board]\nport = 0\n')
    board = Board(load_settings(settings, host="127.0.0.1", data=tmp_path / "club"))
    board.start()
    try:
        secure, plain = board.addresses
        context = ssl.create_default_context(cafile=str(good))

        def get(address: str) -> Any:
            with urllib.request.urlopen(address, timeout=60, context=context) as answer:  # noqa: S310 - ours
                return json.load(answer)

        assert plain.startswith("http://")
        port = secure.rpartition(":")[2]
        found = get(f"https://localhost:{port}/api/v1/health")
        certified = next(check for check in found["checks"] if check["id"] == "certificate")
        assert certified["status"] == "warning"  # it ends within the month
        copy = tmp_path / "copied" / "board" / "board.sqlite3"
        copy.parent.mkdir(parents=True)
        kept = sqlite3.connect(tmp_path / "club" / "board" / "board.sqlite3")
        with closing(kept), closing(sqlite3.connect(copy)) as target:
            kept.backup(target)  # as the program sqlite3 does with .backup
        code = board.code
    finally:
        board.stop()
    again = Board(load_settings(settings, host="127.0.0.1", data=tmp_path / "copied"))
    assert again.code == code
    again.stop()


@pytest.mark.slow
def test_the_board_loads_neither_opencv_nor_a_table():
    call = [sys.executable, "-c", "import sys, board.app, board.listener; print(*sys.modules)"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"cv2", "numpy", "station.table.table"} & {*done.stdout.split()}
