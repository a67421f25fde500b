#!/bin/sh
# Builds a Linux from Debian's own source package, with simulated pins (gpio-sim) and a simulated V4L2 camera
# (vivid), and prints its path: kernel.sh [arm64]
# It runs as a program (User-Mode-Linux), or on QEMU's arm64. Half an hour on one slow core, once.
# Needs: apt sources, gcc make flex bison bc, for arm64 gcc-aarch64-linux-gnu. JOBS=2 takes more cores.
set -eu
cache=${YACHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/yacht-station}
jobs=${JOBS:-1}
arch=${1:-um}
case $arch in
um) kernel=$cache/linux compiler='' defaults=defconfig image=linux ;;
arm64) kernel=$cache/linux-arm64 compiler=aarch64-linux-gnu- defaults=virtconfig image=arch/arm64/boot/Image ;;
*) echo "kernel.sh: for um or arm64, not $arch" >&2; exit 1 ;;
esac
mkdir -p "$cache"
[ ! -e "$kernel" ] || { echo "$kernel"; exit 0; }
for tool in "${compiler}gcc" gcc make flex bison bc xz; do
    command -v "$tool" >/dev/null || { echo "kernel.sh: $tool is missing (apt-get install $tool)" >&2; exit 1; }
done
package=$(apt-cache search --names-only '^linux-source-[0-9.]+$' | sort -V | sed -n '$s/ .*//p')
[ -n "$package" ] || { echo "kernel.sh: apt knows no linux-source here" >&2; exit 1; }

build=$cache/kernel
if [ ! -e "$build/unpacked" ]; then
    rm -rf "$build" && mkdir -p "$build"
    (cd "$build" && apt-get download -qq "$package" && dpkg-deb -x ./*.deb . && tar -xf usr/src/linux-source-*.tar.xz)
    rm -rf "$build"/*.deb "$build/usr"
    mv "$build"/linux-source-* "$build/linux"
    touch "$build/unpacked"
fi
cd "$build/linux"
# Processors with AMX keep 11 kB of registers for a program, four times what this Linux has room for.
sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 12288)/' arch/x86/um/user-offsets.c
made=$build/$arch
build_it() { nice -n 19 make -s O="$made" ARCH="$arch" CROSS_COMPILE="$compiler" "$@"; }
configure() { scripts/config --file "$made/.config" "$@"; }
[ ! -e .config ] || make -s ARCH=um mrproper # it was built in its own folder before
mkdir -p "$made"
build_it "$defaults" >/dev/null
[ "$arch" = um ] || sed -i '/=m$/d' "$made/.config" # without modules they would all be built in
while read -r option; do
    case $option in ''|'#'*) continue ;; -*) configure --disable "${option#-}" ;; *) configure --enable "$option" ;; esac
done <<'OPTIONS'
# A disk, a console, a clock, a folder of the machine around it
BLK_DEV_UBD
VIRTIO_BLK
HOSTFS
9P_FS
EXT4_FS
EXT4_USE_FOR_EXT2
DEVTMPFS
DEVTMPFS_MOUNT
TMPFS
TMPFS_POSIX_ACL
TMPFS_XATTR
# What systemd and its sandbox want
CGROUPS
MEMCG
CGROUP_PIDS
CGROUP_DEVICE
CGROUP_BPF
CGROUP_SCHED
BPF
BPF_SYSCALL
NAMESPACES
UTS_NS
IPC_NS
PID_NS
NET_NS
USER_NS
SECCOMP
SECCOMP_FILTER
AUTOFS_FS
INOTIFY_USER
FHANDLE
EPOLL
SIGNALFD
TIMERFD
EVENTFD
NET
UNIX
INET
IPV6
PACKET
POSIX_MQUEUE
KCMP
# Device memory needs an (emulated) bus
VIRTIO_UML
UML_PCI_OVER_VIRTIO
DMA_SHARED_BUFFER
SYNC_FILE
UDMABUF
DMABUF_HEAPS
DMABUF_HEAPS_SYSTEM
# Pins
CONFIGFS_FS
GPIOLIB
GPIO_CDEV
GPIO_SIM
# Camera
MEDIA_SUPPORT
MEDIA_SUPPORT_FILTER
MEDIA_CAMERA_SUPPORT
MEDIA_TEST_SUPPORT
MEDIA_PLATFORM_SUPPORT
MEDIA_CONTROLLER
VIDEO_DEV
VIDEO_V4L2_SUBDEV_API
V4L_TEST_DRIVERS
FB
VIDEO_VIVID
# Not needed, and long to build
-MODULES
-SOUND
-WLAN
-WIRELESS
-DEBUG_INFO
-DEBUG_KERNEL
-MEDIA_ANALOG_TV_SUPPORT
-MEDIA_DIGITAL_TV_SUPPORT
-DRM
-BTRFS_FS
-REISERFS_FS
-NFS_FS
-XEN
-KVM
-USB
-PHYLIB
-MTD
OPTIONS
configure --set-val VIDEO_VIVID_MAX_DEVS 4
[ "$arch" != um ] || configure --set-val KERNEL_STACK_ORDER 4 # those registers lie on the stack, twice
build_it olddefconfig
for option in GPIO_SIM VIDEO_VIVID UDMABUF CGROUP_BPF SECCOMP_FILTER EXT4_FS DMABUF_HEAPS; do
    grep -q "^CONFIG_$option=y" "$made/.config" || echo "kernel.sh: this kernel offers no $option" >&2
done
build_it -j"$jobs" "${image##*/}" >"$cache/kernel-$arch.log" 2>&1 ||
    { echo "kernel.sh: the kernel did not build, see $cache/kernel-$arch.log" >&2; exit 1; }
if [ "$arch" = um ]; then strip -o "$kernel.part" "$made/$image"; else cp "$made/$image" "$kernel.part"; fi
mv "$kernel.part" "$kernel"
echo "$kernel"
