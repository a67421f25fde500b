#!/bin/sh
# Unpacks a small arm64 Debian of its own into the cache, once: root.sh SUITE  (prints its path)
# No package of it is configured, so neither binfmt_misc nor a kernel for it is needed. Needs root and mmdebstrap.
set -eu
suite=$1
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
root=$cache/arm64-$suite
stamp=unpacked-$(cksum <"$0" | cut -d' ' -f1)
[ ! -e "$root/$stamp" ] || { echo "$root"; exit 0; }

[ "$(id -u)" -eq 0 ] || { echo "root.sh: unpacking a Debian needs root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "root.sh: mmdebstrap is missing (apt-get install mmdebstrap)" >&2; exit 1; }
mirror=$("$(dirname "$0")/../debian_mirror.sh")

glib=libglib2.0-0
[ "$suite" = bookworm ] || glib=libglib2.0-0t64
mkdir -p "$cache"
rm -rf --one-file-system "$root"
# What `make install` needs, so that apt need not run there.
mmdebstrap --variant=extract --architectures=arm64 --include='?essential' \
    --include="base-files,make,openssl,python3-venv,systemd,avahi-daemon,libgl1,$glib" \
    "$suite" "$root" "$mirror" >"$cache/arm64-$suite.log" 2>&1 ||
    { echo "root.sh: mmdebstrap failed, see $cache/arm64-$suite.log" >&2; exit 1; }
[ -e "$root/lib" ] || ln -s usr/lib "$root/lib"
# What those packages would do when they are configured.
cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
mkdir -p "$root/etc/ssl/certs"
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
touch "$root/$stamp"
echo "$root"
