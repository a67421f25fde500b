"""What OpenCV and the FFmpeg in it write to the terminal by themselves: nothing, for we say what is wrong."""

import os

import cv2

FFMPEG_QUIET = "-8"
"""FFmpeg's AV_LOG_QUIET."""
ERRORS = 2
"""OpenCV's LOG_LEVEL_ERROR, which has no name in Python."""


def hush() -> None:
    """Call before a capture is opened; FFmpeg asks once.

    Who sets OPENCV_FFMPEG_LOGLEVEL or OPENCV_LOG_LEVEL hears as much as that says.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", FFMPEG_QUIET)
    if "OPENCV_LOG_LEVEL" not in os.environ:
        cv2.setLogLevel(ERRORS)
