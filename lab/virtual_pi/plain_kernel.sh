#!/bin/sh
# Takes Debian's own User-Mode-Linux, ready built, and prints its path; a minute, once. Nothing is installed here.
# It has neither pins nor what cameras need: the trial `cuts` can do without. Needs: apt sources.
set -eu
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
mkdir -p "$cache"
[ ! -x "$cache/linux-plain" ] || { echo "$cache/linux-plain"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download -qq user-mode-linux && dpkg-deb -x ./*.deb .) 2>"$cache/linux-plain.log" ||
    { echo "plain_kernel.sh: Debian's user-mode-linux could not be had, see $cache/linux-plain.log" >&2; exit 1; }
cp "$work/usr/bin/linux.uml" "$cache/linux-plain.part"
mv "$cache/linux-plain.part" "$cache/linux-plain"
echo "$cache/linux-plain"
