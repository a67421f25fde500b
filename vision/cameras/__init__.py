"""Camera adapters: each one implements `vision.frame.Camera`; `open_camera` chooses."""

from vision.cameras.opening import open_camera

__all__ = ["open_camera"]
