#!/bin/sh
# Installs the station into a fresh Debian, twice, and takes it off again: chroot.sh SUITE PYTHON
# PYTHON runs the tools here. Needs root and debootstrap; five minutes the first time, then one.
set -eu
suite=$1
python=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$(dirname -- "$here")")
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}

packed=$("$here/debian_root.sh" "$suite")
root=$(mktemp -d "$cache/chroot-XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
tar -C "$root" -xpf "$packed"
version=$(chroot "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -m release.wheels "$version" "$cache/wheels-$version"

mkdir -p "$root/src" "$root/wheels"
tar -C "$source" --exclude=.git --exclude=.venv --exclude=node_modules --exclude=__pycache__ --exclude='.*_cache' --exclude='*.egg-info' -cf - . | tar -C "$root/src" -xf -
cp "$cache/wheels-$version"/*.whl "$root/wheels/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cat >"$root/try.sh" <<'TRY'
set -eu
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels DEBIAN_FRONTEND=noninteractive HOME=/root
cd /src
apt-get update -qq
echo "== first run"
make -s install KIOSK=
test "$(systemctl is-enabled yacht-station.service)" = enabled
test "$(systemctl is-enabled yacht-backup.timer)" = enabled
cd /
yacht --version
yacht score --rules yacht-1938 --dice 5,5,5,2,2 --category full-house
systemd-analyze verify yacht-station.service yacht-backup.service yacht-backup.timer 2>&1 | tee /verify.txt
test ! -s /verify.txt
echo "# kept" >>/etc/yacht-station/station.toml
mkdir -p /var/lib/private/yacht-station
echo game >/var/lib/private/yacht-station/game
ln -s private/yacht-station /var/lib/yacht-station
echo "== second run"
make -s -C /src install
grep -q '# kept' /etc/yacht-station/station.toml
test "$(cat /var/lib/yacht-station/game)" = game
test "$(find /opt/yacht-station -maxdepth 1 -name 'venv-*' | wc -l)" = 1
echo "== take off"
make -s -C /src uninstall
test ! -e /opt/yacht-station
test "$(cat /var/lib/yacht-station/game)" = game
make -s -C /src install
make -s -C /src uninstall PURGE=1
test ! -e /var/lib/yacht-station && test ! -e /var/lib/private/yacht-station && test ! -e /etc/yacht-station
test -z "$(getent passwd yacht-kiosk)"
echo "== all right on Debian $(cat /etc/debian_version)"
TRY
unshare --mount --pid --fork sh -c "mount -t proc proc '$root/proc' && exec chroot '$root' sh /try.sh"
