#!/bin/sh
# Copies the newest release of the station from a stick to where the setup page finds it: stick.sh DEVICE FOLDER
# The stick is only read, and can be pulled out afterwards. Nothing of it is carried out.
set -eu
device=$1
folder=$2
stick=$(mktemp -d)
trap 'umount "$stick" 2>/dev/null || :; rmdir "$stick"' EXIT
mount -o ro,nosuid,nodev,noexec "$device" "$stick"

newest=$(find "$stick" -maxdepth 1 -type f -name 'yacht-station-*.zip' -size -1100000k | sort -V | tail -n 1)
[ -n "$newest" ] || exit 0
name=$(basename "$newest")
rm -f "$folder"/*.part
cp "$newest" "$folder/$name.part"
chmod 644 "$folder/$name.part"
for old in "$folder"/yacht-station-*.zip; do
    [ "$old" = "$folder/$name" ] || rm -f "$old"
done
mv "$folder/$name.part" "$folder/$name"
echo "$name was copied; the setup page shows it."
