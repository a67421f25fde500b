"""Films and streams through the FFmpeg in OpenCV, which opens only what it may."""

import os

import cv2

OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"

FORMATS = (
    *("avi", "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "mjpeg"),
    *("mpjpeg", "mpegts", "mpeg", "flv", "h264", "hevc", "rtsp"),
)
"""Demuxers that may be used, whatever a file is called: of films, then of streams. None of them opens what is
named in a file (as hls, dash and concat do)."""


def open_capture(place: str, settings: tuple[int, ...] = ()) -> cv2.VideoCapture:
    """A film or a stream; whether it is open is asked of it. settings: property, value, property, ...

    Options that the environment has for FFmpeg stand beside ours.
    """
    options = os.environ.setdefault(OPTIONS, "rtsp_transport;tcp")
    if "format_whitelist" not in options:
        os.environ[OPTIONS] = f"{options}|format_whitelist;{','.join(FORMATS)}"
    return cv2.VideoCapture(place, cv2.CAP_FFMPEG, settings)
