"""The project on the processor of a Pi, emulated: `make arm64` (lab/docs/virtual-pi.md)."""
