"""systemd understands every line of our units, and they give away as little as they can."""

import re
from pathlib import Path

import pytest
from defusedxml import ElementTree

from tests.appliance.helpers import SERVICES, SYSTEMD, UNITS, call, need, stub_root

# Chromium brings a sandbox and a compiler of its own, which is what most of these points are for.
EXPOSURE_MAX = {
    "yacht-station.service": 2.0,
    "yacht-backup.service": 1.0,
    "yacht-kiosk.service": 4.5,
    "yacht-stick@.service": 2.0,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    need("systemd-analyze")
    return stub_root(tmp_path_factory.mktemp("root"))


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_has_nothing_to_say_about_a_unit(root, unit):
    verified = call("systemd-analyze", "verify", f"--root={root}", "--man=no", unit)
    # It exits with 0 even for unknown keys: what counts is that it stays silent.
    assert verified.stderr == ""
    assert verified.returncode == 0


def test_verify_would_have_noticed(root):
    unit = root / "etc/systemd/system/yacht-odd.service"
    unit.write_text((SYSTEMD / "yacht-station.service").read_text().replace("WatchdogSec", "WatchdogSecs"))
    assert "WatchdogSecs" in call("systemd-analyze", "verify", f"--root={root}", "--man=no", unit.name).stderr


@pytest.mark.parametrize("unit", SERVICES)
def test_exposure(unit):
    need("systemd-analyze")
    judged = call("systemd-analyze", "security", "--offline=true", "--no-pager", SYSTEMD / unit)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", judged.stdout)
    assert found is not None, judged.stderr
    assert float(found[1]) <= EXPOSURE_MAX[unit]


def test_station_and_backup_are_the_same_user_with_the_same_folder():
    station, backup = (
        dict(re.findall(r"^(\w+)=(.*)$", (SYSTEMD / unit).read_text(), re.MULTILINE)) for unit in SERVICES[:2]
    )
    for key in ("User", "DynamicUser", "StateDirectory", "StateDirectoryMode"):
        assert station[key] == backup[key]


def test_the_station_takes_no_connection_that_the_filter_would_swallow():
    unit = (SYSTEMD / "yacht-station.service").read_text()
    allowed = re.findall(r"^IPAddressAllow=(.*)$", unit, re.MULTILINE)[0].split()
    families = re.findall(r"^RestrictAddressFamilies=(.*)$", unit, re.MULTILINE)[0].split()
    # A tablet of the house may come from any address of 2000::/3: allowed, or not listened for.
    assert "2000::/3" in allowed or "AF_INET6" not in families


def test_no_name_of_an_index_or_mirror_in_what_is_installed():
    for path in filter(Path.is_file, SYSTEMD.iterdir()):
        links = re.findall(r"https?://[^\s\"'<)]+", path.read_text())
        assert [link for link in links if not re.match(r"http://(localhost|\$)", link)] == [], path.name


def test_the_announcement_is_what_avahi_reads():
    text = (SYSTEMD / "avahi-yacht-station.service").read_text().replace("@PORT@", "8080")
    group = ElementTree.fromstring(text, forbid_dtd=False)
    assert group.tag == "service-group"
    assert [(each.findtext("type"), each.findtext("port")) for each in group.iter("service")] == [
        ("_http._tcp", "8080")
    ]


@pytest.mark.parametrize("script", sorted(path.name for path in SYSTEMD.glob("*.sh")))
def test_scripts_parse_and_can_be_called(script):
    assert call("sh", "-n", SYSTEMD / script).stderr == ""
    assert (SYSTEMD / script).stat().st_mode & 0o111 == 0o111
