"""`make install` in a real Debian: twice, and off again. `make -C lab chroot` runs it."""

import os
import sys

import pytest

from tests.appliance.helpers import ROOT, call, need

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_install_update_and_uninstall_in_a_fresh_debian(suite):
    if not os.environ.get("YACHT_CHROOT"):
        pytest.skip("'make -C lab chroot' runs this one: it builds whole Debian systems")
    if os.geteuid():
        pytest.skip("only root can make a Debian root")
    need("debootstrap")
    tried = call(ROOT / "lab/virtual_pi/chroot.sh", suite, sys.executable, cwd=ROOT)
    assert tried.returncode == 0, tried.stdout[-2_000:] + tried.stderr[-2_000:]
    assert "== all right on Debian" in tried.stdout
