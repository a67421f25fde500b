#!/bin/sh
# Debian packages that pip cannot bring: what OpenCV links against, and the browser of the tests.
# Usage: debian-packages.sh runtime|browser PYTHON
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
browser)
    command -v chromium >/dev/null 2>&1 && exit 0
    packages="chromium"
    missing="the browser tests are skipped without it"
    fatal=0 ;;
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
