"""A whole Raspberry Pi without one: Debian, a Linux kernel with simulated pins and camera, systemd."""
