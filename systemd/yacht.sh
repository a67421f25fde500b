#!/bin/sh
# The command `yacht` of an installed station: commands that look after it mean this station, its settings
# and its games, unless they are told otherwise (an option given twice counts as given last).
set -eu
program=${YACHT_PROGRAM:-/opt/yacht-station/venv/bin/yacht}
data=${YACHT_DATA:-/var/lib/yacht-station}
settings=${YACHT_SETTINGS:-/etc/yacht-station/station.toml}

release=$data/program/chosen
[ ! -f "$release" ] || [ ! -r "$release" ] ||
    echo "yacht: the station runs release $(head -c 20 "$release" | tr -cd 0-9.), from the setup page; this command is older." >&2

case ${1-} in
doctor) shift && exec "$program" doctor --config "$settings" --data "$data" "$@" ;;
export) shift && exec "$program" export --data "$data" --config "$settings" "$@" ;;
backup|restore|calibrate|replay|import) ;;
*) exec "$program" "$@" ;;
esac

# These write. Where root does it, the files still have to be the station's own afterwards (-h: a link in that
# folder must not give away a file elsewhere).
command=$1
shift
case $command in
calibrate) set -- --profile "$data/profile.json" --config "$settings" "$@" ;;
replay|import) set -- --data "$data" "$@" ;;
*) set -- --data "$data" --config "$settings" "$@" ;;
esac
code=0
"$program" "$command" "$@" || code=$?
if [ "$(id -u)" -eq 0 ] && [ -d "$data/." ]; then
    chown -R -h --reference="$data/." "$data/."
fi
exit "$code"
