#!/bin/sh
# Shows $YACHT_PAGE full screen. Raspberry Pi OS and Debian name the browser differently.
set -eu
for browser in chromium chromium-browser; do
    command -v "$browser" >/dev/null 2>&1 && exec "$browser" \
        --kiosk --ozone-platform=wayland --user-data-dir="$HOME/profile" \
        --no-first-run --noerrdialogs --disable-infobars --disable-session-crashed-bubble \
        --password-store=basic --autoplay-policy=no-user-gesture-required \
        --disable-background-networking --disable-component-update --disable-sync \
        --disable-features=Translate,MediaRouter \
        "$YACHT_PAGE"
done
echo "kiosk.sh: no Chromium here; sudo make install KIOSK=1 brings it" >&2
exit 1
