"""Environment variables for libraries, set before any of them is loaded."""

import os
from collections.abc import MutableMapping

FFMPEG_QUIET = "-8"
"""FFmpeg's AV_LOG_QUIET."""


def settle(environ: MutableMapping[str, str] = os.environ) -> None:
    """Ask every address directly, and keep what OpenCV and FFmpeg print off the terminal.

    A proxy leads out of the house, and a camera, a broker or a station is in it: urllib, FFmpeg and paho
    would ask the proxy. What is wrong with a picture or a film is reported in our sentences; who sets
    the variables of OpenCV hears as much as they say.

    >>> environ = {"HTTP_PROXY": "http://proxy:3128", "no_proxy": "localhost", "PATH": "/bin"}
    >>> settle(environ)
    >>> sorted(environ)
    ['OPENCV_FFMPEG_LOGLEVEL', 'OPENCV_LOG_LEVEL', 'PATH', 'no_proxy']
    """
    for name in list(environ):
        if name.lower().endswith("_proxy") and name.lower() != "no_proxy":
            del environ[name]
    environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", FFMPEG_QUIET)
