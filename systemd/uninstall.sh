#!/bin/sh
# Takes the station off this machine. `sudo make uninstall` calls it.
#
#   PURGE=1      games, players, settings and backups too, drop-ins of the units and the screen's user
#   DESTDIR=DIR  below DIR instead; nothing is stopped
set -eu
DESTDIR=${DESTDIR:-}
PURGE=${PURGE:-}
data=/var/lib/yacht-station
[ -n "$DESTDIR" ] || [ "$(id -u)" -eq 0 ] || { echo "uninstall: this needs root: sudo make uninstall" >&2; exit 1; }

units="yacht-kiosk.service yacht-backup.timer yacht-backup.service yacht-station.service yacht-stick@.service"
for unit in $units; do
    [ -e "$DESTDIR/etc/systemd/system/$unit" ] || continue
    systemctl --quiet --root="$DESTDIR/" disable "$unit" 2>/dev/null || :
    [ -n "$DESTDIR" ] || [ ! -d /run/systemd/system ] || systemctl stop "$unit" || :
    rm -f "$DESTDIR/etc/systemd/system/$unit"
done
rm -f "$DESTDIR/etc/sysusers.d/yacht-station.conf" \
    "$DESTDIR/etc/udev/rules.d/60-yacht-station.rules" \
    "$DESTDIR/etc/avahi/services/yacht-station.service" \
    "$DESTDIR/usr/local/bin/yacht"
rm -rf "$DESTDIR/opt/yacht-station"
[ -n "$DESTDIR" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload

if [ "$PURGE" = 1 ]; then
    # With DynamicUser= the folder is a link to the one below private/.
    rm -rf "$DESTDIR/var/lib/private/yacht-station" "$DESTDIR$data" "$DESTDIR/etc/yacht-station" \
        "$DESTDIR/var/lib/yacht-stick"
    for unit in $units; do
        rm -rf "$DESTDIR/etc/systemd/system/$unit.d" # what `systemctl edit` wrote
    done
    rm -f "$DESTDIR/var/lib/systemd/timers/stamp-yacht-backup.timer"
    [ -n "$DESTDIR" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
    if grep -q "^yacht-kiosk:" "$DESTDIR/etc/passwd" 2>/dev/null; then
        [ -n "$DESTDIR" ] || loginctl terminate-user yacht-kiosk 2>/dev/null || :
        # Never with -r or -f: its home is /.
        userdel ${DESTDIR:+--prefix "$DESTDIR"} yacht-kiosk ||
            echo "The user yacht-kiosk is there still; later: sudo userdel yacht-kiosk" >&2
    fi
    echo "Removed, with all games and settings."
else
    echo "Removed. Games stay in $data and settings in /etc/yacht-station (PURGE=1 removes them too)."
fi
