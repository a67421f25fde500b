"""How many threads OpenCV works with, in this process."""

import cv2


def use_threads(count: int) -> None:
    """Let OpenCV use that many threads, 1 for that of the caller alone; who decides is station.resources."""
    cv2.setNumThreads(count)
