#!/bin/sh
# Runs a command while this machine starts programs for arm64, in other roots too: emulated.sh COMMAND…
# Needs root, qemu-user-static and binfmt_misc. Debian's own package may have told the kernel before; then it stays.
set -eu
qemu=$(command -v qemu-aarch64-static) ||
    { echo "emulated.sh: qemu-user-static is missing (apt-get install qemu-user-static)" >&2; exit 1; }
known=/proc/sys/fs/binfmt_misc
trap 'exit 1' INT TERM
[ -e "$known/register" ] || mount -t binfmt_misc none "$known"
if ! grep -qs '^interpreter.*aarch64' "$known"/*; then
    head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    # F: the emulator is opened now, so that the root need not have it.
    trap 'echo -1 >"$known/yacht-aarch64"' EXIT
    printf '%s' ":yacht-aarch64:M::$head:$mask:$qemu:F" >"$known/register"
fi
"$@"
