"""Lets the real picamera2 use libcamera's virtual camera, which is no sensor behind a Pi's image processor.

Four things differ, and only these are stood in for: it has no raw stream to choose a sensor mode from, it
brings its own buffers (and says that 0 bytes of them are used), its frames stay NV12 where a Pi's
processor would have made RGB of them, and it fills a buffer as soon as it gets one, not as time goes by.
"""

import mmap
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

PERIOD_S = 0.35
"""Between two frames; longer than reading one takes in a machine that is simulated."""


def give_back_slowly(given_back: SimpleQueue[Any], release: Callable[[Any], None]) -> None:
    """Hand the camera one buffer every PERIOD_S."""
    while True:
        completed = given_back.get()
        time.sleep(PERIOD_S)
        release(completed)


class WholeBuffer:
    """Maps all of a buffer, whatever its metadata says is used."""

    def __init__(self, _: Any, buffer: Any, write: bool) -> None:  # noqa: ARG002, FBT001 - picamera2 calls it so
        planes = buffer.planes
        length = max(plane.offset + plane.length for plane in planes)
        self._map = mmap.mmap(planes[0].fd, length, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)

    def __enter__(self) -> mmap.mmap:
        return self._map

    def __exit__(self, *exc: object) -> None:
        self._map.close()


def stand_in() -> None:
    """Change picamera2 where it is imported."""
    from picamera2 import Picamera2, request  # noqa: PLC0415 - it imports this module
    from picamera2.allocators import LibcameraAllocator  # noqa: PLC0415 - as above

    original_init, original_make_array = Picamera2.__init__, request.CompletedRequest.make_array
    original_release = request.CompletedRequest.release
    given_back: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=give_back_slowly, args=(given_back, original_release), daemon=True).start()

    def init(camera: Any, *arguments: Any, **settings: Any) -> None:
        original_init(camera, *arguments, **settings)
        camera.allocator = LibcameraAllocator(camera.camera)
        camera.allocator.sync = WholeBuffer

    def raw_modes(_: Any) -> list[dict[str, Any]]:
        return [{"format": "SBGGR8", "size": (1280, 720)}]

    def make_array(completed: Any, name: str) -> Any:
        array = original_make_array(completed, name)
        if completed.config[name]["format"] != "NV12":
            return array
        import cv2  # noqa: PLC0415 - the station's environment has it, the system has not

        return cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12)

    def release(completed: Any) -> None:
        if completed.ref_count == 1:  # the last who held it: its buffer goes back to the camera
            given_back.put(completed)
        else:
            original_release(completed)

    Picamera2.__init__ = init
    Picamera2._get_raw_modes = raw_modes
    request.CompletedRequest.make_array = make_array
    request.CompletedRequest.release = release
