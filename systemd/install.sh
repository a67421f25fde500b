#!/bin/sh
# Makes this machine a Yacht Station, or updates it. `sudo make install` calls it.
#
#   DESTDIR=DIR  build everything below DIR instead (for an image); nothing is started
#   KIOSK=1      also show the sheet on the screen plugged into this machine
#   OLED=1       also bring what a small display on the I2C bus needs
#   PYTHON=...   the Python that runs the station (python3)
#   WHEEL=FILE   the program as it was built before, in place of the source beside this folder
#
# A second run updates the program and what belongs to it: units, groups, device rules and the announcement are
# written anew. It keeps games, /etc/yacht-station, drop-ins of the units (`systemctl edit`), and it leaves the
# copies or the screen off where somebody switched them off.
# The new program is built beside the old one and takes its place in one step, so that a power cut
# in the middle leaves the old one.
set -eu
umask 022 # root's own may be stricter, and the station could then not read its program
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$here")
DESTDIR=${DESTDIR:-}
PYTHON=${PYTHON:-python3}
KIOSK=${KIOSK:-}
OLED=${OLED:-}
WHEEL=${WHEEL:-}

program=/opt/yacht-station
settings=/etc/yacht-station
units=/etc/systemd/system
data=/var/lib/yacht-station
staged=$DESTDIR$program

say() { echo "$*"; }
fail() { echo "install: $*" >&2; exit 1; }

case $DESTDIR in ''|/*) ;; *) fail "DESTDIR has to begin with a slash, not '$DESTDIR'" ;; esac
[ -n "$DESTDIR" ] || [ "$(id -u)" -eq 0 ] || fail "this needs root: sudo make install"
[ -n "$DESTDIR" ] || { mkdir -p "$program" 2>/dev/null && [ -w "$program" ]; } || fail "$program cannot be written"

"$PYTHON" "$here/served.py"

# 1. What apt has to bring
if [ -z "$DESTDIR" ]; then
    sh "$here/debian-packages.sh" appliance "$PYTHON"
    [ -z "$KIOSK" ] || sh "$here/debian-packages.sh" kiosk "$PYTHON"
fi

# 2. A copy of everything, by the program that wrote it, before another one may change it
if [ -z "$DESTDIR" ] && [ -d /run/systemd/system ] && [ -e "$units/yacht-backup.service" ] && [ -d "$data" ]; then
    say "Copying games, players and settings..."
    systemctl start yacht-backup.service ||
        say "They could not be copied (journalctl -u yacht-backup -n 5 says why); they stay as they are."
fi

# 3. The program in an environment of its own
say "Building the program (one to five minutes)..."
mkdir -p "$staged"
build=$(mktemp -d)
fresh=$(mktemp -d "$staged/venv-XXXXXX")
trap 'rm -rf "$build" "${fresh:-}"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$fresh"
site=""
# The camera's and the pins' Python parts come from apt on a Pi, and the environment has to see them.
"$PYTHON" -c 'import picamera2' 2>/dev/null || "$PYTHON" -c 'import lgpio' 2>/dev/null && site=--system-site-packages
# shellcheck disable=SC2086 # empty on purpose where there is nothing to see
"$PYTHON" -m venv $site "$fresh" || fail "the venv module is missing: sudo apt-get install python3-venv"
pinned() {
    "$fresh/bin/python" -m pip install --quiet --no-compile --no-deps --disable-pip-version-check \
        --root-user-action=ignore "$@"
}
pinned --require-hashes --requirement "$source/requirements/run.txt" # these files, whatever an index may offer
# An update keeps what a display needs.
if [ -n "$OLED" ] || find "$staged/venv/lib" -path '*/luma/oled' 2>/dev/null | grep -q .; then
    pinned --require-hashes --requirement "$source/requirements/display.txt"
fi
if [ -z "$WHEEL" ]; then
    # setuptools leaves traces where it builds; the folder this was called from stays as it is.
    for part in pyproject.toml README.md LICENSE messages station board vision calibration pictures simulator web \
        systemd requirements; do
        cp -R "$source/$part" "$build/"
    done
    WHEEL=$build
fi
pinned --no-build-isolation "$WHEEL"
# From here on it is called by its final name, whatever folder it was built in.
name=$(basename "$fresh")
grep -rlIF --null "$fresh" "$fresh/bin" "$fresh/pyvenv.cfg" | xargs -0 -r sed -i "s|$fresh|$program/venv|g"
find "$fresh" -name direct_url.json -delete
"$fresh/bin/python" -m pip uninstall --quiet --yes --disable-pip-version-check --root-user-action=ignore setuptools pip
"$fresh/bin/python" -m compileall -q -f -s "$fresh" -p "$program/venv" "$fresh/lib"
mkdir -p "$staged/docs"
[ ! -d "$source/docs" ] || cp -R "$source/docs/." "$staged/docs/"
install -m 755 "$here/kiosk.sh" "$here/start.py" "$here/stick.sh" "$staged/"
sync -f "$staged" # all of it: after a power cut a name may be on the card and what belongs to it not
previous=$(readlink "$staged/venv" || :)
point_to() { ln -sfn "$1" "$staged/venv.next" && mv -T "$staged/venv.next" "$staged/venv"; }
point_to "$name"
fresh=""
# The running station may still load parts of the old program: it goes when the new one runs.
sweep() {
    for old in "$staged"/venv-*; do
        [ "$old" = "$staged/$name" ] || rm -rf "$old"
    done
}
# What runs from now on is this program, also where the setup page had laid a newer release beside the one before.
laid=$DESTDIR$data/program
rm -f "$DESTDIR/usr/local/bin/yacht" # never write through a link somebody made
install -D -m 755 "$here/yacht.sh" "$DESTDIR/usr/local/bin/yacht"

# 4. Settings: written once, never overwritten
mkdir -p "$DESTDIR$settings"
[ -e "$DESTDIR$settings/station.toml" ] || install -m 644 "$here/station.toml" "$DESTDIR$settings/station.toml"
port=$("$PYTHON" - "$DESTDIR$settings/station.toml" <<'PY'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    print(int(tomllib.load(file).get("port", 8080)))
PY
) || fail "$settings/station.toml cannot be read; the lines above say where"

# 5. Units, groups, device rules, the name in the house
on() { systemctl --quiet --root="$DESTDIR/" is-enabled "$1" 2>/dev/null; }
# The station is switched on last: until it is, this is the first run, or one that was interrupted.
wanted=yacht-station.service
on yacht-station.service || wanted="yacht-backup.timer $wanted"
[ -z "$KIOSK" ] || wanted="yacht-kiosk.service $wanted"
for unit in yacht-station.service yacht-backup.service yacht-backup.timer yacht-stick@.service; do
    install -D -m 644 "$here/$unit" "$DESTDIR$units/$unit"
done
install -D -m 644 "$here/sysusers.conf" "$DESTDIR/etc/sysusers.d/yacht-station.conf"
install -D -m 644 "$here/udev.rules" "$DESTDIR/etc/udev/rules.d/60-yacht-station.rules"
mkdir -p "$DESTDIR/etc/avahi/services"
sed "s/@PORT@/$port/" "$here/avahi-yacht-station.service" >"$DESTDIR/etc/avahi/services/yacht-station.service"
chmod 644 "$DESTDIR/etc/avahi/services/yacht-station.service"
if [ -n "$KIOSK" ] || [ -e "$DESTDIR$units/yacht-kiosk.service" ]; then
    install -D -m 644 "$here/yacht-kiosk.service" "$DESTDIR$units/yacht-kiosk.service"
    [ -e "$DESTDIR$settings/kiosk.env" ] ||
        echo "YACHT_PAGE=http://localhost:$port/tv" >"$DESTDIR$settings/kiosk.env"
fi

for unit in $wanted; do
    systemctl --quiet --root="$DESTDIR/" enable "$unit" 2>/dev/null || fail "$unit could not be enabled"
done
if [ -n "$DESTDIR" ]; then
    sweep
    rm -rf "$laid"
    say "Staged in $DESTDIR: a machine that starts from it is a station."
    exit 0
fi

systemd-sysusers /etc/sysusers.d/yacht-station.conf
if [ ! -d /run/systemd/system ]; then
    sweep
    rm -rf "$laid"
    say "Installed. systemd is not running here; the station starts with the next start of the machine."
    exit 0
fi

# 6. Start it and say where it is
systemctl daemon-reload
udevadm control --reload && udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap || :
say "Starting..."
rm -rf "$laid.before"
[ ! -d "$laid" ] || mv "$laid" "$laid.before"
if ! systemctl restart yacht-station.service; then
    why="journalctl -u yacht-station -n 30 says why"
    [ ! -d "$laid.before" ] || { rm -rf "$laid" && mv "$laid.before" "$laid"; }
    [ -n "$previous" ] && point_to "$previous" && systemctl restart yacht-station.service ||
        fail "the station did not start; $why"
    rm -rf "${staged:?}/$name"
    fail "the new program did not start, so the one before runs again; $why"
fi
sweep
rm -rf "$laid.before"
if on yacht-kiosk.service; then systemctl restart yacht-kiosk.service; fi
if on yacht-backup.timer; then systemctl start yacht-backup.timer; fi
say "The station is running, and will be whenever this machine has power. Open on any tablet or phone:"
say "  http://$(hostname).local:$port"
for address in $(hostname -I); do
    case $address in *:*) ;; *) say "  http://$address:$port" ;; esac
done
say "Games are kept in $data, settings in $settings/station.toml."
