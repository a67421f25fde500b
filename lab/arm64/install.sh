#!/bin/sh
# Installs the station in an arm64 Debian by `make install`, and tries it: emulated.sh install.sh SUITE PYTHON
# PYTHON runs the tools here. Needs root and mmdebstrap.
# TESTS: which are run there.
set -eu
suite=$1
python=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$(dirname -- "$here")")
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
# Seconds here, some minutes there.
tests=${TESTS:-tests/rules/test_dice.py tests/rules/test_sheet.py}

unpacked=$("$here/root.sh" "$suite")
root=
trap '[ -z "$root" ] || rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM
root=$(mktemp -d "$cache/arm64-XXXXXX")
chmod 755 "$root"
cp -a "$unpacked/." "$root/"
version=$(basename "$root"/usr/lib/python3.[0-9]* | sed s/python//)
wheels=$cache/wheels-$version-aarch64
"$python" -m release.wheels "$version" "$wheels" aarch64

mkdir -p "$root/src" "$root/wheels" "$root/tests"
echo "127.0.0.1 localhost" >"$root/etc/hosts"
tar -C "$source" --exclude=.git --exclude=.venv --exclude=node_modules --exclude=__pycache__ --exclude='.*_cache' \
    --exclude='*.egg-info' -cf - . | tar -C "$root/src" -xf -
cp "$wheels"/*.whl "$root/wheels/"
# What only tests need. Unpacked here, since the same takes fifty times as long there.
for wheel in "$root"/wheels/*.whl; do
    name=$(basename "$wheel" | cut -d- -f1 | tr _ -)
    grep -qi "^$name==" "$source/requirements/run.txt" || "$python" -m zipfile -e "$wheel" "$root/tests"
done
cat >"$root/try.sh" <<'TRY'
set -eu
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PIP_DISABLE_PIP_VERSION_CHECK=1 HOME=/root LC_ALL=C.UTF-8
export QEMU_CPU=cortex-a72 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
start=$(date +%s)
since() { echo "== $1 after $(($(date +%s) - start)) s"; }
. /src/lab/shows_a_page.sh
ldconfig
cd /src
make -s install KIOSK=
test "$(systemctl is-enabled yacht-station.service)" = enabled
since "make install"
yacht --version
yacht score --rules yacht-1938 --dice 5,5,5,2,2 --category full-house
yacht read tests/golden/stills/00000.jpg
shows_a_page yacht run --port 0 --camera simulated --buttons none --data /tmp/data
kill "$running"
wait "$running" || :
since "a page"
# shellcheck disable=SC2086 # several words on purpose
PYTHONPATH=/tests /opt/yacht-station/venv/bin/python -m pytest -q -m "not slow and not browser and not photos" $1
since "the tests $1"
echo "== all right on Debian $(cat /etc/debian_version), $(python3 --version), $(uname -m)"
TRY
unshare --mount --pid --fork sh -c "mount -t proc proc '$root/proc' && exec chroot '$root' sh /try.sh '$tests'"
