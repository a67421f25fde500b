#!/bin/sh
# Makes the disk of the virtual Pi and prints its path: image.sh PYTHON [arm64]
# Needs root, for arm64 lab/arm64/emulated.sh around it; ten minutes once, for arm64 twenty, then nothing.
#
# Debian trixie with what Raspberry Pi OS has and `make install` expects: libcamera and its Python
# bindings, the real picamera2 and the real lgpio. The station itself is not on it: it is installed there.
set -eu
python=$1
arch=${2:-}
of=${arch:+-$arch}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
image=$cache/pi$of.img
stamp=$(find "$here/image.sh" "$here/guest" -type f -not -name '*.pyc' | sort | xargs cat | sha256sum | cut -c1-16)
[ ! -e "$image" ] || [ "$(cat "$image.made" 2>/dev/null)" != "$stamp" ] || { echo "$image"; exit 0; }

root=$(mktemp -d "$cache/image-XXXXXX")
trap 'umount "$root/proc" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

# Runs what comes in on stdin inside the root.
inside() {
    cat >"$root/make.sh"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    unshare --mount --pid --fork sh -c "mount -t proc proc '$root/proc' && exec chroot '$root' sh -eu /make.sh" \
        >"$cache/image.log" 2>&1 || { echo "image.sh: it could not be made, see $cache/image.log" >&2; exit 1; }
    rm -f "$root/make.sh"
}

# Debian's own packages are kept, so that a change further down costs seconds.
base=$cache/pi-base$of.tar
if [ ! -e "$base" ]; then
    tar -C "$root" -xpf "$("$here/debian_root.sh" trixie $arch)"
    inside <<'MAKE'
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends \
    avahi-daemon dbus udev python3-venv python3-pip libgl1 libglib2.0-0t64 kmod procps \
    python3-libcamera libcamera-ipa libcamera-tools python3-prctl python3-av python3-piexif python3-jsonschema \
    python3-tqdm python3-libarchive-c gcc libc6-dev python3-dev swig
apt-get clean
rm -rf /var/lib/apt/lists/*
MAKE
    tar -C "$root" --one-file-system --numeric-owner -cf "$base.part" .
    mv "$base.part" "$base"
else
    tar -C "$root" -xpf "$base"
fi

version=$(chroot "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
machine=${arch:+aarch64}
wheels=$cache/wheels-$version${arch:+-aarch64}
pi_wheels=$cache/wheels-pi-$version${arch:+-aarch64}
"$python" -m release.wheels "$version" "$wheels" $machine >&2
"$python" -m release.wheels --pi "$version" "$pi_wheels" $machine >&2
mkdir -p "$root/wheels"
cp "$wheels"/* "$pi_wheels"/* "$root/wheels/"
inside <<'MAKE'
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels HOME=/root
pip="python3 -m pip install --quiet --break-system-packages --root-user-action=ignore --no-deps --ignore-installed"
$pip numpy==2.2.6 pillow simplejpeg videodev2 OpenEXR picamera2 setuptools wheel
PYPI=1 $pip --no-build-isolation lgpio # with its C library inside, as its wheels have it
python3 -c 'import lgpio'
MAKE

# What stands in for the parts a virtual machine has not got; each file says what and why.
site=$root/usr/local/lib/python$version/dist-packages
cp "$here"/guest/pykms.py "$here"/guest/virtual_sensor.py "$site/"
mkdir "$site/pidng"
cp "$here"/guest/pidng/*.py "$site/pidng/"
printf '\nimport virtual_sensor\nvirtual_sensor.stand_in()\n' >>"$site/picamera2/__init__.py"
install -D -m 644 "$here/guest/virtual.yaml" "$root/etc/libcamera/pipeline/virtual/virtual.yaml"
mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/src" "$root/host" "$root/frames"
cp "$here/guest/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
cp "$here"/guest/*.service "$root/etc/systemd/system/"
install -D -m 644 "$here/guest/pi.conf" "$root/etc/systemd/system/yacht-station.service.d/virtual-pi.conf"
install -D -m 755 "$here/guest/pins.sh" "$root/usr/local/sbin/virtual-pins"
cp "$here/guest/cpuinfo" "$root/etc/virtual-pi-cpuinfo"
echo virtual-pi >"$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 virtual-pi\n' >"$root/etc/hosts"
if [ -n "$arch" ]; then
    printf '/dev/vda / ext4 defaults 0 1\nhost /host 9p trans=virtio,version=9p2000.L,msize=262144 0 0\n'
else
    printf '/dev/ubda / ext4 defaults 0 1\nnone /host hostfs defaults 0 0\n'
fi >"$root/etc/fstab"
systemctl --quiet --root="$root" enable virtual-pins.service virtual-pi.service
systemctl --quiet --root="$root" mask getty@tty1.service serial-getty@ttyS0.service console-getty.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer
rm -f "$root"/.lgd-nfy* "$root/etc/machine-id" && : >"$root/etc/machine-id"
umount "$root/proc" 2>/dev/null || :

rm -f "$image.part"
truncate -s 4G "$image.part"
mkfs.ext4 -q -d "$root" "$image.part"
mv "$image.part" "$image"
echo "$stamp" >"$image.made"
echo "$image"
