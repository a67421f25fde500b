"""Lets the real picamera2 use libcamera's virtual camera, which is no sensor behind a Pi's image processor.

Three things differ, and only these are stood in for: it has no raw stream to choose a sensor mode from, it
brings its own buffers, and its frames stay NV12 where a Pi's processor would have made RGB of them.
"""

from typing import Any

import numpy as np


def stand_in() -> None:
    """Change picamera2 where it is imported."""
    from picamera2 import Picamera2, request  # noqa: PLC0415 - it imports this module
    from picamera2.allocators import LibcameraAllocator  # noqa: PLC0415 - as above

    original_make_array = request.Helpers.make_array

    def raw_modes(camera: Any) -> list[dict[str, Any]]:
        camera.allocator = LibcameraAllocator(camera.camera)
        return [{"format": "SBGGR8", "size": (1280, 720)}]

    def make_array(self: Any, buffer: Any, config: dict[str, Any]) -> Any:
        if config["format"] != "NV12":
            return original_make_array(self, buffer, config)
        import cv2  # noqa: PLC0415 - the station's environment has it, the system has not

        width, height = config["size"]
        rows = np.frombuffer(buffer, np.uint8)[: config["stride"] * height * 3 // 2]
        nv12 = rows.reshape(height * 3 // 2, config["stride"])[:, :width]
        return cv2.cvtColor(np.ascontiguousarray(nv12), cv2.COLOR_YUV2BGR_NV12)

    Picamera2._get_raw_modes = raw_modes
    request.Helpers.make_array = make_array
