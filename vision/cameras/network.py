"""Cameras in the network: streams of JPEGs, single pictures that are asked for again, RTSP and the like.

What an http address answers is looked at first: pictures go through the function that all of them go through,
films to FFmpeg, and anything else is said.
"""

import math
import socket
import time
from collections.abc import Callable, Iterator
from http.client import HTTPResponse
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError, CameraError
from messages.message import Message
from pictures.decode import CAMERA_PIXELS_MAX, decode
from pictures.header import HEAD_BYTES, foreign_kind, kind_of
from vision.cameras.capture import CaptureSource
from vision.cameras.ffmpeg import open_capture
from vision.cameras.http_answers import PASSWORD, Asker, TooOftenError, parts_of, whole
from vision.cameras.live import LiveCamera, Source
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings

SCHEMES = ("http", "https", "rtsp", "rtsps", "rtmp", "udp", "tcp")
OPEN_MS = 4000
READ_MS = 2500
DAMAGED_S = 8.0
"""How long there may be damaged pictures only."""
FPS = 15.0
"""Requests a second to a snapshot address, unless another rate is set."""
SAME_S = 1.0
"""A camera gives the same file again for too frequent requests: within this time it is no new picture."""
PAUSE_MAX_S = 1.5
"""A camera that demands longer pauses is of no use: still dice are read three times."""
RTSP_PORT = 554
PLAYLIST = ("mpegurl", "dash+xml")
PLAYLISTS = (b"#extm3u", b"ffconcat", b"[playlist]", b"<?xml", b"<mpd")
PAGES = (b"<!doctype html", b"<html")


def stream_camera(url: str, *, wanted: CaptureSettings = AS_IT_COMES, **settings: Any) -> LiveCamera:
    """A camera in the network.

    Raises BadInputError when the address cannot be one.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError:
        host, parts, port = None, urlsplit(""), None
    if parts.scheme not in SCHEMES or not host:
        raise BadInputError("camera/stream_address", url=url)
    place = host if port is None else f"{host}:{port}"  # never the password that may stand before it

    def source(now: CaptureSettings) -> HttpSource | CaptureSource:
        return (
            HttpSource(parts, place, now) if parts.scheme in {"http", "https"} else _film(parts, place, now)
        )

    return LiveCamera(source, f"camera at {place}", wanted=wanted, **settings)


def _film(url: SplitResult, place: str, wanted: CaptureSettings) -> CaptureSource:
    """A stream that FFmpeg plays."""
    timeouts = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS)
    return CaptureSource(
        lambda: open_capture(urlunsplit(url), timeouts), lambda: _why_silent(url, place), wanted=wanted
    )


def _why_silent(url: SplitResult, place: str) -> Message:
    """Why FFmpeg plays nothing, as far as a camera that speaks RTSP says so."""
    silent = Message("camera/stream_silent", place=place)
    if url.scheme != "rtsp":
        return silent
    address = urlunsplit(url._replace(netloc=url.netloc.rpartition("@")[2]))
    try:
        with socket.create_connection((url.hostname or "", url.port or RTSP_PORT), OPEN_MS / 1000) as line:
            line.sendall(f"DESCRIBE {address} RTSP/1.0\r\nCSeq: 1\r\n\r\n".encode())
            parts = line.recv(HEAD_BYTES).split(b" ")
    except OSError:
        return silent
    status = int(parts[1]) if parts[0] == b"RTSP/1.0" and len(parts) > 1 and parts[1].isdigit() else 200
    if status in PASSWORD:  # FFmpeg has tried the ones that are in the address
        return Message("camera/stream_password", place=place, status=status)
    return Message("camera/stream_status", place=place, status=status) if status >= 400 else silent


class HttpSource(Source):
    """A `Source` over HTTP. place: what it is called in sentences. clock, sleep: monotonic seconds."""

    def __init__(
        self,
        url: SplitResult,
        place: str,
        wanted: CaptureSettings = AS_IT_COMES,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url, self._place, self._wanted = url, place, wanted
        self._clock, self._sleep = clock, sleep
        self._ask = Asker(url, place)
        self._pictures: Iterator[NDArray[np.uint8]] = iter(())
        self._first: NDArray[np.uint8] | None = None
        self._let_go: Callable[[], None] = lambda: None
        self.refused: tuple[str, ...] = ()

    def open(self) -> None:
        """Ask it, and take its first picture. Raises CameraError with what it answered."""
        self._pictures = self._opened(self._ask())
        self._first = next(self._pictures, None)
        if self._first is None:
            raise CameraError("camera/stream_empty", place=self._place)
        size_wh = (self._first.shape[1], self._first.shape[0])
        done = {"size"} if size_wh == self._wanted.size_wh else set()
        self.refused = tuple(name for name in self._wanted.requested if name not in done)

    def _opened(self, answer: HTTPResponse) -> Iterator[NDArray[np.uint8]]:
        """The pictures of an answer, whatever gives them. Raises CameraError where there are none."""
        self._let_go = answer.close
        kind = answer.headers.get_content_type()
        if kind.startswith("multipart/"):
            return self._streamed(answer)
        if kind.startswith("image/"):
            return self._asked_for(answer)
        head = answer.peek(HEAD_BYTES)[:HEAD_BYTES].lstrip()
        if kind_of(head) or foreign_kind(head):
            return self._asked_for(answer)
        answer.close()
        wrong = _no_picture(kind, head.lower(), self._place)
        if wrong is not None:
            raise CameraError(wrong)
        film = _film(self._url, self._place, self._wanted)
        self._let_go = film.close
        film.open()
        return _played(film)

    def grab(self) -> NDArray[np.uint8] | None:
        """The next picture; None when there is none any more. Raises CameraError with what it answers now."""
        first, self._first = self._first, None
        return next(self._pictures, None) if first is None else first

    def close(self) -> None:
        """Let go of it."""
        self._pictures, self._first = iter(()), None
        self._let_go()

    def _streamed(self, answer: HTTPResponse) -> Iterator[NDArray[np.uint8]]:
        """The pictures of a stream; damaged ones are passed over."""
        good_s = self._clock()
        for data in parts_of(answer, self._clock):
            image = self._decoded(data, good_s)
            if image is not None:
                good_s = self._clock()
                yield image

    def _asked_for(self, answer: HTTPResponse) -> Iterator[NDArray[np.uint8]]:
        """One picture after the other, each requested when the last is there, as often as the camera allows.

        Too frequent requests may give the same file again, which does not prove that the dice lie still.
        """
        pause_s = 1.0 / (self._wanted.fps or FPS)
        before, given_s, good_s = b"", -math.inf, self._clock()
        while True:
            asked_s = self._clock()
            data = whole(answer, self._clock)
            if data != before or asked_s - given_s >= SAME_S:
                image = self._decoded(data, good_s if before else -math.inf)
                if image is not None:
                    before, given_s, good_s = data, asked_s, self._clock()
                    yield image
            while True:
                self._sleep(max(0.0, asked_s + pause_s - self._clock()))
                try:
                    answer = self._ask()
                    break
                except TooOftenError as error:
                    asked_s, pause_s = self._clock(), max(2 * pause_s, error.wait_s)
                    if pause_s > PAUSE_MAX_S:
                        raise
            self._let_go = answer.close

    def _decoded(self, data: bytes, good_s: float) -> NDArray[np.uint8] | None:
        """A picture; None for a damaged one. Raises CameraError where there was no other for too long."""
        try:
            return decode(data, self._place, pixels_max=CAMERA_PIXELS_MAX)
        except BadInputError as error:
            if self._clock() - good_s <= DAMAGED_S:
                return None
            kind = foreign_kind(data)
            if kind is None:
                raise CameraError("camera/stream_damaged", place=self._place) from error
            raise CameraError("camera/stream_kind", place=self._place, kind=kind) from error


def _played(film: CaptureSource) -> Iterator[NDArray[np.uint8]]:
    while (image := film.grab()) is not None:
        yield image


def _no_picture(kind: str, head: bytes, place: str) -> Message | None:
    """What to say of an answer that is neither a picture nor a film; None for what may be one.

    kind: its content type. head: how it begins, in small letters.
    """
    if kind.endswith(PLAYLIST) or (head.startswith(PLAYLISTS) and b"html" not in head):
        return Message("camera/stream_playlist", place=place)
    if kind in {"text/html", "application/xhtml+xml"} or head.startswith(PAGES):
        return Message("camera/stream_page", place=place)
    if kind.startswith(("video/", "application/octet-stream")):
        return None
    return Message("camera/stream_kind", place=place, kind=kind)
