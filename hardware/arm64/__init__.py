"""The project on the processor of a Pi, emulated: `make arm64` (docs/virtual-pi.md)."""
