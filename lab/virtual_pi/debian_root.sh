#!/bin/sh
# Makes a small Debian of its own, kept as a tar in the cache: debian_root.sh SUITE [arm64]  (prints its path)
# Needs root and debootstrap, for arm64 lab/arm64/emulated.sh around it. The mirror is the one this machine's own apt uses.
set -eu
suite=$1
arch=${2:-}
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
packed=$cache/root-$suite${arch:+-$arch}.tar
mkdir -p "$cache"
[ ! -e "$packed" ] || { echo "$packed"; exit 0; }

[ "$(id -u)" -eq 0 ] || { echo "debian_root.sh: making a Debian root needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "debian_root.sh: debootstrap is missing" >&2; exit 1; }
mirror=$("$(dirname "$0")/../debian_mirror.sh")

work=$(mktemp -d "$cache/making-XXXXXX")
trap 'umount "$work/proc" "$work/sys" 2>/dev/null || :; rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"
nice -n 19 debootstrap ${arch:+--arch="$arch"} --variant=minbase --include=ca-certificates,make,python3,systemd-sysv \
    "$suite" "$work" "$mirror" >"$cache/root-$suite.log" 2>&1 ||
    { echo "debian_root.sh: debootstrap failed, see $cache/root-$suite.log" >&2; exit 1; }
umount "$work/proc" "$work/sys" 2>/dev/null || :
# What apt is told here that goes beyond the mirror (a proxy, dates) holds there too.
cp -r /etc/apt/apt.conf.d/. "$work/etc/apt/apt.conf.d/"
rm -f "$work/etc/apt/apt.conf.d/"*docker* "$work/etc/apt/apt.conf.d/"*appstream* \
    "$work/etc/apt/apt.conf.d/"*packagekit* "$work/etc/apt/apt.conf.d/"*debconf*
rm -rf "$work/var/cache/apt/archives/"*.deb
tar -C "$work" --one-file-system --numeric-owner -cf "$packed.part" .
mv "$packed.part" "$packed"
echo "$packed"
