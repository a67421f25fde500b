#!/bin/sh
# Makes what a Pi has of a freshly written card, in DIR: card_disk.sh SUITE DIR
# disk.img: a Debian that has never started, from trixie on with cloud-init set up as on Raspberry Pi OS; boot: the files
# of the boot partition; slirp: the way into the network. Needs root; five minutes once, then half a minute.
# It reaches packages the way this machine does: the same mirror, the same authorities for https.
set -eu
suite=$1
out=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
more="cloud-init netplan.io"
[ "$suite" != bookworm ] || more=""
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
base=$cache/card-base-$suite.tar
root=$(mktemp -d "$cache/card-XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

if [ ! -e "$base" ]; then
    tar -C "$root" -xpf "$("$here/debian_root.sh" "$suite")"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cat >"$root/make.sh" <<MAKE
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends $more systemd-timesyncd dbus udev locales iproute2 procps
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
rm -rf "$out"
mkdir -p "$out/boot" "$out/host" "$out/package"
(cd "$out/package" && apt-get download -qq slirp 2>/dev/null && dpkg-deb -x ./*.deb .)
mv "$out/package/usr/bin/slirp-fullbolt" "$out/slirp"
rm -r "$out/package"

cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' >"$root/etc/pip.conf"
rm -f "$root/etc/resolv.conf"
echo 'nameserver 10.0.2.3' >"$root/etc/resolv.conf" # slirp's
echo raspberrypi >"$root/etc/hostname"
: >"$root/etc/machine-id"
mkdir -p "$root/boot/firmware" "$root/host"
cat >"$root/etc/fstab" <<FSTAB
/dev/ubda / ext4 defaults 0 1
none /boot/firmware hostfs $out/boot 0 0
none /host hostfs $out/host 0 0
FSTAB
# Not a part of the card: looks at the first start's page from inside, since nobody comes in through slirp.
cp "$here/guest/watch_card.py" "$root/usr/local/sbin/"
cat >"$root/etc/systemd/system/watch-card.service" <<'UNIT'
[Unit]
RequiresMountsFor=/host
[Service]
ExecStart=/usr/bin/python3 /usr/local/sbin/watch_card.py /host
[Install]
WantedBy=multi-user.target
UNIT
systemctl --quiet --root="$root" enable watch-card.service
systemctl --quiet --root="$root" mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    fstrim.timer systemd-resolved.service
truncate -s 6G "$out/disk.img"
echo 'console=tty1 root=PARTUUID=9710ec8c-02 rootfstype=ext4 fsck.repair=yes rootwait' >"$out/boot/cmdline.txt"
echo '# nothing of a Pi here' >"$out/boot/config.txt"
if [ "$suite" = bookworm ]; then
    printf '[Match]\nName=eth0\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' \
        >"$root/etc/systemd/network/eth0.network"
    systemctl --quiet --root="$root" enable systemd-networkd.service
    mkfs.ext4 -q -d "$root" "$out/disk.img"
    exit 0
fi
# As on Raspberry Pi OS Trixie, but that a file system of the right size is left alone.
cat >"$root/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" <<'CFG'
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
resize_rootfs: false
CFG
mkfs.ext4 -q -d "$root" "$out/disk.img"
printf 'dsmode: local\ninstance-id: rpios-image\n' >"$out/boot/meta-data"
cat >"$out/boot/network-config" <<'NET'
network:
  version: 2
  ethernets:
    eth0:
      addresses: [10.0.2.15/24]
      nameservers: {addresses: [10.0.2.3]}
      routes: [{to: default, via: 10.0.2.2}]
NET
# As Raspberry Pi Imager writes it.
cat >"$out/boot/user-data" <<'USER'
#cloud-config
hostname: from-imager
manage_etc_hosts: true
packages:
- avahi-daemon

apt:
  conf: |
    Acquire {
      Check-Date "false";
    };

timezone: Europe/Berlin
USER
