"""The Containerfile, carried out: it shows a page. `make -C lab chroot` runs it."""

import os
import sys

import pytest

from tests.appliance.helpers import ROOT, call, need

pytestmark = pytest.mark.slow


def test_the_container_shows_a_page_and_keeps_the_games():
    if not os.environ.get("YACHT_CHROOT"):
        pytest.skip("'make -C lab chroot' runs this one: it builds a whole Debian system, or an image")
    if os.geteuid():
        pytest.skip("only root can make a Debian root")
    need("debootstrap")
    tried = call(sys.executable, "-m", "lab.container", cwd=ROOT)
    assert tried.returncode == 0, tried.stdout[-2_000:] + tried.stderr[-2_000:]
    assert "== all right" in tried.stdout
