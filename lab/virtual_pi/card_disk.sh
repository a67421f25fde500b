#!/bin/sh
# Makes what a Pi has of a freshly written card, in DIR: card_disk.sh SUITE DIR
# root.img: a Debian with cloud-init, set up as on Raspberry Pi OS, that has never started; kernel, initrd; boot: the
# files of the boot partition. Needs root; five minutes once, then half a minute.
# It reaches packages the way this machine does: the same mirror, the same authorities for https.
set -eu
suite=$1
out=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
base=$cache/card-base-$suite.tar
root=$(mktemp -d "$cache/card-XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

if [ ! -e "$base" ]; then
    tar -C "$root" -xpf "$("$here/debian_root.sh" "$suite")"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cat >"$root/make.sh" <<'MAKE'
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends linux-image-amd64 initramfs-tools zstd cloud-init netplan.io \
    systemd-timesyncd dbus udev locales iproute2 procps
apt-get clean
rm -rf /var/lib/apt/lists/*
MAKE
    unshare --mount --pid --fork sh -c "mount -t proc proc '$root/proc' && exec chroot '$root' sh -eu /make.sh" \
        >"$cache/card-base.log" 2>&1 || { echo "card_disk.sh: no Debian, see $cache/card-base.log" >&2; exit 1; }
    rm "$root/make.sh"
    tar -C "$root" --one-file-system --numeric-owner -cf "$base.part" .
    mv "$base.part" "$base"
else
    tar -C "$root" -xpf "$base"
fi

cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' >"$root/etc/pip.conf"
echo 'nameserver 10.0.2.3' >"$root/etc/resolv.conf" # QEMU's
echo raspberrypi >"$root/etc/hostname"
: >"$root/etc/machine-id"
printf 'LABEL=root / ext4 defaults 0 1\nLABEL=BOOTFS /boot/firmware vfat defaults 0 2\n' >"$root/etc/fstab"
mkdir -p "$root/boot/firmware"
# As on Raspberry Pi OS Trixie.
cat >"$root/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" <<'CFG'
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
CFG
rm -rf "$out"
mkdir -p "$out/boot"
cp "$root"/boot/vmlinuz-* "$out/kernel"
cp "$root"/boot/initrd.img-* "$out/initrd"
truncate -s 6G "$out/root.img"
mkfs.ext4 -q -L root -d "$root" "$out/root.img"

echo 'console=ttyS0 root=LABEL=root rw quiet' >"$out/boot/cmdline.txt"
echo '# nothing of a Pi here' >"$out/boot/config.txt"
printf 'dsmode: local\ninstance_id: rpios-image\ninstance-id: rpios-image\n' >"$out/boot/meta-data"
printf '#cloud-config\nhostname: from-imager\nmanage_etc_hosts: true\npackages:\n- avahi-daemon\n\napt:\n  conf: |\n    Acquire {\n      Check-Date "false";\n    };\n\ntimezone: Europe/Berlin\n' >"$out/boot/user-data" # as Imager's
