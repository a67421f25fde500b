"""A club evening: more screens than the server's own limit of a hundred, and it still answers."""

import http.client
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.helpers import PATIENCE_S, StationProcess

SCREENS = 130


def test_the_page_comes_while_a_hundred_and_thirty_listen(tmp_path: Path):
    frames = "http://home.local:8123"
    settings = f'viewers_max = {SCREENS + 1}\nframes = ["{frames}"]\n'
    station = StationProcess(tmp_path, settings=settings)
    where = urlsplit(station.url)
    lines = []
    try:
        for _ in range(SCREENS):
            line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE_S)
            line.request("GET", "/api/v1/events")
            sock, answer = line.sock, line.getresponse()
            assert answer.status == 200
            lines.append((sock, answer))
        with urllib.request.urlopen(station.url, timeout=PATIENCE_S) as page:  # noqa: S310 - our own
            assert page.status == 200
            assert page.headers["Content-Security-Policy"].endswith(frames)
    finally:
        for sock, answer in lines:
            answer.close()
            sock.close()
        station.stop()
