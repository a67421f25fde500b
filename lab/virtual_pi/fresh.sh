#!/bin/sh
# Clones the project into bare Debian systems and does there what the README says: fresh.sh SUITE...
# The page has to come, and `make check` and `make test` to pass; of each the last lines are printed, all of them lie in
# the cache. Packages are kept there too: only the first time fetches them.
# QUICK=1: `make unit` instead of `make test`. ARGS: what the tests are given.
# PIPX=1: instead the wheel in dist/ (make release) is installed by pipx there, and has to show its page.
# Needs root and debootstrap; package mirror and index are those this machine uses.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$(dirname -- "$here")")
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
root='' failed=''
[ -z "${PIPX:-}" ] || ls "$source"/dist/*.whl >/dev/null 2>&1 || { echo "fresh.sh: no wheel in dist/; make release makes one" >&2; exit 1; }

tidy() { [ -z "$root" ] || rm -rf --one-file-system "$root"; }
trap tidy EXIT

# Set up pip there as it is here, with the same authorities; gives the folders it has to see.
set_up_pip() {
    settings=$(python3 -m pip config list 2>/dev/null | grep -v '^global\.constraint=' || :) # all is pinned here
    { echo '[global]'; echo "$settings" | sed -n "s/^global\.\([a-z-]*\)='\(.*\)'\$/\1 = \2/p" | sed 's/\\n/\n    /g'; } \
        >"$root/etc/pip.conf"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    # An index of files has its files beside it: its parent is what has to be seen.
    echo "$settings" | grep -oE 'file://[^ ]*[^ /'"'"']' | sed 's#^file://##; s#/[^/]*$##'
    echo "$settings" | sed -n "s#.*find-links='\(/.*\)'\$#\1#p"
}

what=test
[ -z "${QUICK:-}" ] || what=unit
[ -z "${PIPX:-}" ] || what=pipx
for suite in "$@"; do
    packed=$("$here/debian_root.sh" "$suite")
    root=$(mktemp -d "$cache/fresh-XXXXXX")
    chmod 755 "$root"
    tar -C "$root" -xpf "$packed"
    if [ -n "${PIPX:-}" ]; then
        mkdir "$root/dist"
        cp "$source"/dist/*.whl "$source/dist/constraints.txt" "$root/dist/"
    else
        git clone -q --no-hardlinks "$source" "$root/yacht-station"
    fi
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # nobody pulls this system's plug
    cp "$source/lab/shows_a_page.sh" "$root/"
    mounts=$(set_up_pip | sort -u)
    logs=$cache/fresh-$suite
    mkdir -p "$cache/pip" "$root/root/.cache/pip" "$root/dev/shm" "$root/dev/pts" "$root/logs" "$logs" "$cache/apt-$suite"
    cat >"$root/try.sh" <<'TRY'
set -eu
export DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C.UTF-8
apt-get update -qq
since() { echo "== $1 after $(($(date +%s) - start)) s"; }
last_lines() { tail -n 12 "/logs/$1.log"; }
. /shows_a_page.sh
if [ "$1" = pipx ]; then
    apt-get install -y -qq --no-install-recommends pipx python3-venv libgl1 libglib2.0-0 >/dev/null
    start=$(date +%s)
    pipx install --pip-args "--constraint /dist/constraints.txt" /dist/*.whl
    /root/.local/bin/yacht --version
    since "pipx: installed"
    shows_a_page /root/.local/bin/yacht run --port 0
    since "pipx: a page"
    kill "$running"
    wait "$running" || :
    echo "== all right on Debian $(cat /etc/debian_version), $(python3 --version)"
    exit 0
fi
apt-get install -y -qq --no-install-recommends git python3-venv >/dev/null
cd /yacht-station
start=$(date +%s)
shows_a_page make -s run ARGS="--port 0"
cp /run.txt /logs/run.log
last_lines run
since "make run: a page"
pkill -TERM -P "$running" -f yacht 2>/dev/null || kill "$running"
wait "$running" || :
failed=0
for target in check "$1"; do
    start=$(date +%s)
    if make -s "$target" ARGS="$2" >"/logs/$target.log" 2>&1; then verdict=passed; else verdict=FAILED failed=1; fi
    last_lines "$target"
    since "make $target: $verdict"
done
[ "$failed" = 0 ] || exit 1
echo "== all right on Debian $(cat /etc/debian_version), $(python3 --version)"
TRY
    echo "== Debian $suite; whole logs in $logs"
    unshare --mount --pid --fork sh -ec '
        root=$1 cache=$2 test=$3 suite=$4 arguments=$5
        shift 5
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys"
        mount -t tmpfs tmpfs "$root/dev/shm"
        mount -t devpts devpts "$root/dev/pts"
        mount --bind "$cache/pip" "$root/root/.cache/pip"
        mount --bind "$cache/apt-$suite" "$root/var/cache/apt/archives"
        mount --bind "$cache/fresh-$suite" "$root/logs"
        for folder; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done
        exec chroot "$root" sh /try.sh "$test" "$arguments"
    ' fresh "$root" "$cache" "$what" "$suite" "${ARGS:-}" $mounts || failed="$failed $suite"
    tidy
    root=
done
[ -z "$failed" ] || { echo "fresh.sh: not all right on$failed" >&2; exit 1; }
