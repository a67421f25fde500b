#!/bin/sh
# Process 1 of a machine without systemd (`--plain`). It sees the files of the machine around it, which it may only
# read, a disk of its own for the games, and the folder where results go: FOLDER. PYTHON runs the station.
set -eu
mount -t proc proc /proc
mount -t sysfs sysfs /sys
for folder in /tmp /run; do
    mount -t tmpfs tmpfs "$folder"
done
mkdir /run/host /run/data /dev/shm
mount -t tmpfs tmpfs /dev/shm
mount -t hostfs -o "$FOLDER" none /run/host
mount -t ext4 /dev/ubda /run/data
cd "$PROJECT"
HOME=/tmp exec "$PYTHON" -B -m lab.virtual_pi.trials >>/run/host/out.log 2>&1
