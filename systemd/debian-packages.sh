#!/bin/sh
# Debian packages that pip cannot bring: what OpenCV links against; the browser and programs of the tests;
# for an appliance also the camera's and the pins' Python parts (on a Pi), the name in the house and certificates.
# for make check what looks at the scripts.
# Usage: debian-packages.sh runtime|tests|check|appliance|kiosk PYTHON
# Installs them where it may (as root, or with sudo that asks nothing), else says what to type.
set -eu
part=$1
python=$2

case $part in
runtime)
    "$python" -c 'import cv2' 2>/dev/null && exit 0
    packages="libgl1 libglib2.0-0"
    missing="OpenCV does not load without them"
    fatal=1 ;;
tests)
    packages=""
    for program in chromium firefox-esr curl git openssl; do
        command -v "$program" >/dev/null 2>&1 || packages="$packages $program"
    done
    command -v mosquitto >/dev/null 2>&1 || [ -x /usr/sbin/mosquitto ] || packages="$packages mosquitto"
    command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || packages="$packages nginx"
    command -v caddy >/dev/null 2>&1 || packages="$packages caddy"
    command -v ip >/dev/null 2>&1 || [ -x /usr/sbin/ip ] || packages="$packages iproute2"
    # Not every archive has it; pages are shown by chromium then, which takes longer.
    command -v chromium-headless-shell >/dev/null 2>&1 ||
        ! apt-cache show chromium-headless-shell >/dev/null 2>&1 || packages="$packages chromium-headless-shell"
    # The browser's driver brings a Node of its own, and that wants it.
    /sbin/ldconfig -p | grep -q libatomic.so.1 || packages="$packages libatomic1"
    set -- /usr/lib/postgresql/*/bin/initdb
    [ -x "$1" ] || command -v initdb >/dev/null 2>&1 || packages="$packages postgresql"
    [ -n "$packages" ] || exit 0
    missing="tests fail or are skipped without them"
    fatal=0 ;;
check)
    command -v npm >/dev/null 2>&1 && exit 0
    packages="nodejs npm"
    missing="make check cannot look at the scripts of the pages without them"
    fatal=1 ;;
appliance)
    packages=""
    "$python" -c 'import ensurepip' 2>/dev/null || packages="$packages python3-venv"
    for library in libGL.so.1:libgl1 libgthread-2.0.so.0:libglib2.0-0; do
        /sbin/ldconfig -p | grep -q "${library%%:*}" || packages="$packages ${library##*:}"
    done
    [ -x /usr/sbin/avahi-daemon ] || packages="$packages avahi-daemon"
    command -v openssl >/dev/null 2>&1 || packages="$packages openssl"
    # Only where the archive has them: Raspberry Pi OS does, a plain Debian does not.
    for module in picamera2 lgpio; do
        "$python" -c "import $module" 2>/dev/null || ! apt-cache show "python3-$module" >/dev/null 2>&1 ||
            packages="$packages python3-$module"
    done
    [ -n "$packages" ] || exit 0
    missing="the station needs them"
    fatal=1 ;;
kiosk)
    packages=""
    command -v cage >/dev/null 2>&1 || packages="cage"
    # Debian's cage does not start without it, and only recommends it.
    command -v Xwayland >/dev/null 2>&1 || packages="$packages xwayland"
    if ! command -v chromium >/dev/null 2>&1 && ! command -v chromium-browser >/dev/null 2>&1; then
        packages="$packages chromium"
    fi
    [ -n "$packages" ] || exit 0
    missing="the screen stays dark without them"
    fatal=1 ;;
*)
    echo "debian-packages.sh: unknown part '$part'" >&2
    exit 2 ;;
esac

if [ "$(id -u)" -eq 0 ]; then as_root=""
elif sudo -n true 2>/dev/null; then as_root="sudo -n"
else
    echo "Please install: sudo apt-get install $packages ($missing)."
    exit "$fatal"
fi

echo "Installing Debian's $packages..."
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # several words on purpose
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null || {
    echo "apt-get could not install $packages ($missing)."
    exit "$fatal"
}
