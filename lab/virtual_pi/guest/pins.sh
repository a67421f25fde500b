#!/bin/sh
# One chip with the 28 lines of a Pi's header; /run/pins leads to the folder that pulls and shows them.
set -eu
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
[ -e "$chip" ] || {
    mkdir -p "$chip/header"
    echo 28 >"$chip/header/num_lines"
    echo pinctrl-bcm2711 >"$chip/header/label"
    echo 1 >"$chip/live"
}
ln -sfn "/sys/devices/platform/$(cat "$chip/dev_name")/$(cat "$chip/header/chip_name")" /run/pins
# The Pi's heap for camera buffers, by the name picamera2 looks for (udev would turn the comma into a _).
ln -sfn system "/dev/dma_heap/linux,cma"
udevadm settle
