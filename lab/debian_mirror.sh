#!/bin/sh
# Prints the Debian mirror that this machine's own apt uses: debian_mirror.sh
set -eu
# shellcheck disable=SC2016 # apt-get fills these in
mirror=$(apt-get indextargets --format '$(REPO_URI) $(SUITE)' 'COMPONENT: main' |
    grep -vE 'security|updates|backports' | sed -n '1s/ .*//p')
[ -n "$mirror" ] || { echo "debian_mirror.sh: apt knows no Debian mirror here" >&2; exit 1; }
echo "$mirror"
