"""What a card gets: the texts of the files on its boot partition, made from those that are there."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart

from messages.errors import FailedError

FOLDER = "yacht"
"""Folder of the boot partition that the station's files go into."""

MOUNTED = "/boot/firmware"
"""The boot partition of Raspberry Pi OS, from Bookworm on."""

BEGIN = f"{MOUNTED}/{FOLDER}/begin.sh"
LOCALES = {"de": "de_DE.UTF-8", "en": "en_GB.UTF-8", "fr": "fr_FR.UTF-8"}
_RUN = (
    f"systemd.run={MOUNTED}/firstrun.sh",
    "systemd.run_success_action=reboot",
    "systemd.unit=kernel-command-line.target",
)
_COUNTRY = "cfg80211.ieee80211_regdom="
_LAST_LINES = re.compile(r"^(rm .*firstrun\.sh|exit 0)$", re.MULTILINE)
"""Where an Imager's firstrun.sh begins to tidy up; Raspberry Pi OS itself cuts it off at the first."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the Pi is to be set up. What is empty stays as Raspberry Pi Imager or the system has it."""

    name: str = "yacht"
    language: str = ""
    time_zone: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class PreparedCard:
    """What the first start has to know, kept on the card as JSON.

    wheel: name of its file. sha256: of that file. prepared: when, in seconds since 1970: no right clock is
    before that.
    """

    wheel: str
    sha256: str
    prepared: float
    language: str

    def text(self) -> str:
        """As it is written."""
        return json.dumps(asdict(self), indent=1) + "\n"


def begin_script() -> str:
    """What cloud-init or firstrun.sh calls: it unpacks the program and switches the first start on.

    It may be called any number of times, and cut off anywhere.
    """
    return """#!/bin/sh
# Switches the first start of Yacht Station on: begin.sh [start]. ROOT=DIR does it below DIR.
set -eu
card=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
kept=${ROOT:-}/var/lib/yacht-first-start
units=${ROOT:-}/etc/systemd/system
[ ! -e "$kept/done" ] || exit 0
if [ ! -d "$kept/program" ]; then
    rm -rf "$kept/program.new"
    mkdir -p "$kept/program.new" "$units"
    python3 -m zipfile -e "$card"/*.whl "$kept/program.new"
    sync
    mv "$kept/program.new" "$kept/program"
fi
cp "$card/yacht-first-start.service" "$units/yacht-first-start.service.new"
sync
mv "$units/yacht-first-start.service.new" "$units/yacht-first-start.service"
systemctl --quiet --root="${ROOT:-}/" enable yacht-first-start.service
sync
[ "${1-}" = start ] || exit 0
systemctl daemon-reload
systemctl start --no-block yacht-first-start.service
"""


def unit() -> str:
    """The systemd unit of the first start."""
    return f"""# Installs Yacht Station at the first start, and shows on port 80 how far it is.
[Unit]
Description=Yacht Station: the first start
After=network.target
ConditionPathExists=!/var/lib/yacht-first-start/done
RequiresMountsFor={MOUNTED}

[Service]
Environment=PYTHONPATH=/var/lib/yacht-first-start/program PYTHONUNBUFFERED=1
ExecStart=/usr/bin/python3 -m station.card.first_start {MOUNTED}/{FOLDER}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=multi-user.target
"""


def cloud_config(wishes: Wishes) -> str:
    r"""What cloud-init is to set.

    >>> print(cloud_config(Wishes(time_zone="Europe/Paris", language="fr")), end="")
    #cloud-config
    hostname: yacht
    manage_etc_hosts: true
    locale: fr_FR.UTF-8
    timezone: Europe/Paris
    """
    lines = ["#cloud-config", f"hostname: {wishes.name}", "manage_etc_hosts: true"]
    if wishes.language:
        lines.append(f"locale: {LOCALES[wishes.language]}")
    if wishes.time_zone:
        lines.append(f"timezone: {wishes.time_zone}")
    return "\n".join((*lines, ""))


def user_data(present: str, wishes: Wishes) -> str:
    """cloud-init's user-data: what is there as the first part, then ours, which hold where both say so.

    The boot hook runs at every start until the first start is done, so that a power cut costs nothing.
    Raises FailedError where what is there has parts already.
    """
    if re.match(r"(content-type|mime-version):", present, re.IGNORECASE):
        raise FailedError("yacht/card/parts")
    # No boundary of chance: the same card gets the same bytes.
    whole = MIMEMultipart("mixed", boundary="===yacht-station===")
    parts = (
        ("plain", present),  # cloud-init finds out what it is
        ("cloud-config", cloud_config(wishes)),
        ("cloud-boothook", _hook(wishes)),
    )
    for kind, text in parts:
        part = MIMENonMultipart("text", kind)
        part.set_payload(text, "us-ascii" if text.isascii() else "utf-8")
        whole.attach(part)
    return whole.as_string()


def _hook(wishes: Wishes) -> str:
    """What cloud-init calls at every start, early. Debian makes only the languages that its list names."""
    locale = LOCALES.get(wishes.language)
    listed = f"sed -i 's/^# *{locale} /{locale} /' /etc/locale.gen\n" if locale else ""
    return f"#cloud-boothook\n#!/bin/sh\n{listed}sh {BEGIN} start\n"


def firstrun(present: str, wishes: Wishes) -> str:
    """Bookworm's script of the first start: an Imager's with our lines before it tidies up, or our own."""
    tool = "/usr/lib/raspberrypi-sys-mods/imager_custom"
    ours = [f"{tool} set_hostname {wishes.name}"]
    if wishes.language:
        ours.append(f"raspi-config nonint do_change_locale {LOCALES[wishes.language]}")
    if wishes.time_zone:
        ours.append(f"{tool} set_timezone {wishes.time_zone}")
    ours.append(f"sh {BEGIN}")
    own = f"""#!/bin/sh
set +e
sed -i 's| systemd\\.[^ ]*||g' {MOUNTED}/cmdline.txt
rm -f {MOUNTED}/firstrun.sh
exit 0
"""
    script = present or own
    place = _LAST_LINES.search(script) if present else re.search("^sed", script, re.MULTILINE)
    at = place.start() if place else len(script)
    return "\n".join((script[:at] + ours[0], *ours[1:], script[at:]))


def cmdline(present: str, wishes: Wishes, *, run: bool) -> str:
    r"""The kernel's command line: with the country of the Wi-Fi, and with `run` that calls our firstrun.sh.

    >>> cmdline("root=/dev/x cfg80211.ieee80211_regdom=GB quiet\n", Wishes(country="DE"), run=False)
    'root=/dev/x quiet cfg80211.ieee80211_regdom=DE\n'
    """
    words = present.split()
    if wishes.country:
        words = [word for word in words if not word.startswith(_COUNTRY)] + [_COUNTRY + wishes.country]
    if run:
        words.extend(_RUN)
    return " ".join(words) + "\n"


def is_prepared(present: Mapping[str, str]) -> bool:
    """Whether a card with these files calls our first start already."""
    if "user-data" in present:
        return BEGIN in present["user-data"]
    return BEGIN in present.get("firstrun.sh", "") and "firstrun.sh" in present["cmdline.txt"]


def switches(present: Mapping[str, str], wishes: Wishes) -> dict[str, str]:
    """The files that make the system call our first start; until the last of them is written, none does.

    present: texts of the boot partition's files by name. With user-data it is cloud-init's (Trixie), else
    Bookworm's.
    """
    line = present["cmdline.txt"]
    changed = cmdline(line, wishes, run=False)
    before = {"cmdline.txt": changed} if wishes.country else {}
    if "user-data" in present:
        return {**before, "user-data": user_data(present["user-data"], wishes)}
    if "firstrun.sh" in line:
        return {**before, "firstrun.sh": firstrun(present.get("firstrun.sh", ""), wishes)}
    # A firstrun.sh that nobody calls is left from a start that is over, or from a writing that was cut off.
    return {"firstrun.sh": firstrun("", wishes), "cmdline.txt": cmdline(line, wishes, run=True)}


def station_files(card: PreparedCard) -> dict[str, str]:
    """What goes into the folder beside the wheel."""
    return {"card.json": card.text(), "begin.sh": begin_script(), "yacht-first-start.service": unit()}
