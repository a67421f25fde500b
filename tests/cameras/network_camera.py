"""Network cameras as they answer: a stream, single pictures, a page, a refusal; a real HTTP server."""

import hashlib
import itertools
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2

from tests.cameras.worlds import DEADLINE_S, card


def jpeg(level: int = 0) -> bytes:
    return cv2.imencode(".jpg", card(level), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@dataclass
class Answer:
    """status, content type and body; more: further headers; parts: of a body that is sent as they come."""

    status: int = 200
    kind: str = "image/jpeg"
    body: bytes = b""
    more: dict[str, str] = field(default_factory=dict)
    parts: Iterable[bytes] = ()


class NetworkCamera:
    """answer: what it says to the request of that number (from 0) and those headers; counted in `asked`."""

    def __init__(self, answer: Callable[[int, dict[str, str]], Answer], port: int = 0) -> None:
        self.answer = answer
        self.asked = 0
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.news = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with outer.news:
                    number, outer.asked = outer.asked, outer.asked + 1
                    outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                    outer.paths.append(self.path)
                    outer.news.notify_all()
                given = outer.answer(number, outer.headers[number])
                self.send_response(given.status)
                self.send_header("Content-Type", given.kind)
                if not given.kind.startswith("multipart/"):
                    self.send_header("Content-Length", str(len(given.body)))
                for name, value in given.more.items():
                    self.send_header(name, value)
                self.end_headers()
                with suppress(ConnectionError):  # the reader has gone
                    for part in itertools.chain([given.body], given.parts):
                        self.wfile.write(part)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = False
        self.port = self._server.server_address[1]
        self.place = f"127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def camera_that_answers(answer: Answer | Callable[[int, dict[str, str]], Answer]) -> Iterator[NetworkCamera]:
    made = NetworkCamera(answer if callable(answer) else lambda _number, _headers: answer)
    try:
        yield made
    finally:
        made.end()


class EndlessStream:
    """A camera that sends the card again and again, and can be gone for a while."""

    def __init__(self) -> None:
        self._level = self._sent = 0
        self._ended, self._news = threading.Event(), threading.Condition()
        self.camera = NetworkCamera(self._answer)

    def _answer(self, _number: int, _headers: dict[str, str]) -> Answer:
        return Answer(kind="multipart/x-mixed-replace; boundary=frame", parts=self._parts())

    def _parts(self) -> Iterator[bytes]:
        while not self._ended.wait(0.01):
            yield part_of_stream(jpeg(self._level))
            with self._news:
                self._sent += 1
                self._news.notify_all()

    def show(self, level: int) -> None:
        with self._news:
            self._level, self._sent = level, 0

    def wait_shown(self) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self._sent >= 25, DEADLINE_S), "nobody listens to the stream"

    def vanish(self) -> None:
        self._ended.set()
        self.camera.end()

    def come_back(self) -> None:
        self._ended.clear()
        self.camera = NetworkCamera(self._answer, self.camera.port)


@contextmanager
def endless_stream() -> Iterator[EndlessStream]:
    made = EndlessStream()
    try:
        yield made
    finally:
        made.vanish()


def part_of_stream(content: bytes, marker: str = "--frame", *, length: bool = True) -> bytes:
    head = f"{marker}\r\nContent-Type: image/jpeg\r\n"
    head += f"Content-Length: {len(content)}\r\n" if length else ""
    return f"{head}\r\n".encode() + content + b"\r\n"


def streamed(*parts: bytes, boundary: str = "frame", dashes: str = "--", lengths: bool = True) -> Answer:
    """multipart/x-mixed-replace with these parts, and its end."""
    body = b"".join(part_of_stream(part, f"{dashes}{boundary}", length=lengths) for part in parts)
    end = f"{dashes}{boundary}--\r\n".encode()
    return Answer(kind=f"multipart/x-mixed-replace; boundary={boundary}", body=body + end)


def digest_wanted(user: str, password: str, then: Answer) -> Callable[[int, dict[str, str]], Answer]:
    """RFC 7616 with MD5 and qop=auth: the answer is given to whoever proves to know the password."""
    realm, nonce = "camera", "dcd98b7102dd2f0e8b11d0f600bfb0c0"
    challenge = Answer(
        401, more={"WWW-Authenticate": f'Digest realm="{realm}", nonce="{nonce}", qop="auth", algorithm=MD5'}
    )

    def md5(text: str) -> str:
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    def answer(_number: int, headers: dict[str, str]) -> Answer:
        given = dict(re.findall(r'(\w+)="?([^",]+)"?', headers.get("authorization", "")))
        if not headers.get("authorization", "").startswith("Digest "):
            return challenge
        secret, what = md5(f"{user}:{realm}:{password}"), md5(f"GET:{given['uri']}")
        proof = md5(":".join((secret, nonce, given["nc"], given["cnonce"], given["qop"], what)))
        return then if proof == given["response"] else challenge

    return answer
