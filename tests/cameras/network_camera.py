"""Network cameras as they answer: a stream, single pictures, a page, a refusal; a real HTTP server."""

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2

from tests.cameras.worlds import card


def jpeg(level: int = 0) -> bytes:
    return cv2.imencode(".jpg", card(level), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@dataclass
class Answer:
    """status, content type and body; more: further headers."""

    status: int = 200
    kind: str = "image/jpeg"
    body: bytes = b""
    more: dict[str, str] = field(default_factory=dict)


class NetworkCamera:
    """answer: what it says to the request of that number (from 0) and those headers; counted in `asked`."""

    def __init__(self, answer: Callable[[int, dict[str, str]], Answer]) -> None:
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
                self.wfile.write(given.body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def camera_that_answers(
    answer: Answer | Callable[[int, dict[str, str]], Answer],
) -> Iterator[NetworkCamera]:
    made = NetworkCamera(answer if callable(answer) else lambda _number, _headers: answer)
    try:
        yield made
    finally:
        made.end()


def streamed(*parts: bytes, boundary: str = "frame", dashes: str = "--", lengths: bool = True) -> Answer:
    """multipart/x-mixed-replace with these parts, and its end."""
    body = b""
    for part in parts:
        length = f"Content-Length: {len(part)}\r\n" if lengths else ""
        body += f"{dashes}{boundary}\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + part + b"\r\n"
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
