"""A phone as the camera: real pages, and Chromium's fake camera, which sees films of the simulated tray."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, Screen, StationProcess, start_by_tapping
from tests.e2e.phone_film import PhoneFilm
from vision.motion import THUMB_WIDTH, detect_change

START = "Use this phone's camera"


class PhoneStation:
    """A station whose camera is a phone, and browsers whose camera sees a film."""

    def __init__(self, folder: Path, launch: Callable[..., Browser]) -> None:
        self.film = PhoneFilm(folder / "film.mjpeg")
        self.film.film(0.2).done()
        self._folder, self._screens = folder, list[Screen]()
        self._browser = launch(*self.film.switches)
        self.station = self.begin()

    def begin(self, port: int = 0) -> StationProcess:
        return StationProcess(self._folder, camera="phone", port=port, settings="https_port = 0\n")

    def open(self, path: str = "/camera", url: str = "", size: str = "phone", **more: Any) -> Screen:
        self._screens.append(Screen(self._browser, url or self.station.url, size, path=path, **more))
        return self._screens[-1]

    def phone(self) -> Screen:
        """The page of a phone that has begun."""
        screen = self.open()
        screen.tap(START)
        screen.until("() => document.querySelector('#video').videoWidth > 0")
        return screen

    def says(self, words: str, *, ok: bool = False) -> None:
        """Wait until the station says this of its camera."""
        self.station.wait_for(lambda it: words in it["camera"]["message"] and it["camera"]["ok"] == ok)

    def sees(self) -> dict[str, Any]:
        """Wait until the camera works, and nothing is to be said of it."""
        return self.station.wait_for(
            lambda it: it["camera"]["name"] == "phone" and it["camera"]["ok"] and not it["camera"]["message"]
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for screen in self._screens:
            screen.close()
        self._browser.close()
        self.station.stop()


@pytest.fixture
def house(tmp_path: Path, launch: Callable[..., Browser]) -> Iterator[PhoneStation]:
    with PhoneStation(tmp_path, launch) as made:
        yield made


@contextmanager
def hidden(screen: Screen) -> Iterator[None]:
    """Another page is in front meanwhile."""
    turn = """(hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange')); }"""
    screen.page.evaluate(turn, True)  # noqa: FBT003 - of the page
    yield
    screen.page.evaluate(turn, False)  # noqa: FBT003 - of the page


def test_from_the_first_page_to_the_first_turn(house: PhoneStation, save: Save):
    """By https with the certificate that the station makes for itself."""
    station, film = house.station, house.film
    setup = house.open("/setup", size="tablet")
    setup.tap("Switch https on")
    camera = setup.page.locator("#use-phone code").inner_text()
    plain = house.open()
    expect(plain.page.locator("#insecure")).to_be_hidden()  # a name of this machine itself
    film.person.lay_markers()
    film.film(0.2).done()
    phone = house.open(url=camera.removesuffix("/camera"), own_certificate=True)
    phone.tap(START)
    house.sees()
    expect(phone.page.locator(".phone-guide")).to_be_visible()
    setup.page.goto(f"{station.url}/setup/calibrate")
    setup.tap("Find the tray")
    step = setup.page.locator(".cal-steps > .done:nth-child(1)")
    expect(step).to_be_visible()
    expect(phone.page.locator(".phone-outline")).to_be_visible()
    save(phone, "phone-camera-phone-light")
    examine(phone)
    phone.page.set_viewport_size({"width": 740, "height": 360})
    phone.page.emulate_media(color_scheme="dark")
    examine(phone)

    def lay(what: Callable[[], object]) -> None:
        """What is done to the tray, and the camera that sees it from now on: it reads the film anew."""
        what()
        film.film(0.2).done()
        with hidden(phone):
            house.says("is locked")
            phone.page.evaluate("document.querySelector('#video').srcObject.getTracks()[0].stop()")
        house.sees()

    lay(film.person.clear)
    setup.tap("The tray is empty")
    expect(setup.page.locator(".cal-steps > .done:nth-child(3)")).to_be_visible()
    lay(lambda: film.person.throw(5))
    setup.tap("These are my dice")
    expect(setup.page.locator(".cal-steps > .done:nth-child(4)")).to_be_visible()
    setup.tap("Use it")
    expect(setup.page.locator(".cal-steps > .done:nth-child(5)")).to_be_visible()

    setup.page.goto(station.url)
    start_by_tapping(setup, ["Ana", "Ben"])
    film.throw([5, 5, 5, 2, 2], still_s=20).done()
    phone.page.evaluate("document.querySelector('#video').srcObject.getTracks()[0].stop()")
    thrown = station.wait_for(lambda it: it["reading"]["status"] == "ready" and it["reading"]["fresh"])
    assert sorted(thrown["reading"]["faces"]) == [2, 2, 5, 5, 5]
    setup.tap("Yes")
    expect(setup.page.locator(".dot.done")).to_have_count(1)  # until then other taps are ignored
    setup.tap("Score 19 in Full House for Ana")
    setup.says("Ben: roll")


def test_a_picture_that_comes_late_does_not_hide_that_the_phone_is_locked(house: PhoneStation):
    phone = house.phone()
    house.sees()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.page.route("**/api/v1/phone/picture**", hold)
    with phone.page.expect_request("**/api/v1/phone/picture**"):
        pass
    with hidden(phone):
        house.says("is locked")
        phone.page.evaluate("0")  # its word of that has been seen
        with phone.page.expect_request("**/api/v1/phone/word"):
            held[0].continue_()
        house.says("is locked")


def test_one_phone_at_a_time_and_another_asks(house: PhoneStation):
    first = house.phone()
    house.sees()
    second = house.open(size="tablet")
    second.tap(START)
    expect(second.page.locator(".phone-state")).to_contain_text("This one has asked")
    house.says("Another phone asks to be the camera", ok=True)
    use = first.page.get_by_role("button", name=re.compile("^Use "))
    expect(use).to_be_visible()
    asked: list[str] = []
    first.page.route("**/api/v1/phone", lambda _: None)  # nothing comes back
    first.page.on("request", lambda request: asked.append(request.url) if "/ask" in request.url else None)
    with first.page.expect_response(lambda response: response.status == HTTPStatus.FORBIDDEN):
        use.tap()
    first.page.evaluate(
        "() => new Promise((done) => setTimeout(done, 3500))"
    )  # longer than it waits to ask again
    first.page.unroute("**/api/v1/phone")  # what was held back goes on
    expect(first.page.locator(".phone-state")).to_have_text("Another phone is the camera now.")
    assert not asked, "who gave the camera away does not ask for it"
    house.sees()
    expect(second.page.locator(".phone-list")).to_contain_text("this one: is the camera")
    examine(second)
    first.tap(START)
    expect(first.page.locator(".phone-state")).to_contain_text("This one has asked")
    second.tap("Stop")  # the only one that asks follows
    expect(first.page.locator(".phone-list")).to_contain_text("this one: is the camera")
    house.sees()
    first.tap("Stop")
    house.says("No phone is the camera yet")


def test_what_keeps_a_phone_from_sending_is_said_and_it_goes_on_by_itself(house: PhoneStation):
    sheet = house.open("/")
    phone = house.phone()
    house.sees()
    with hidden(phone):
        house.says("is locked")
        expect(sheet.page.locator("#problem")).to_contain_text("The phone is locked")
        checks = (house.station.get("/api/v1/health") or {})["checks"]
        assert "The phone is locked" in next(each["message"] for each in checks if each["id"] == "camera")
    house.sees()
    expect(sheet.page.locator("#problem")).to_be_empty()
    phone.page.evaluate("document.querySelector('#video').srcObject.getTracks()[0].onmute()")
    house.says("A call or another app")
    phone.page.evaluate("document.querySelector('#video').srcObject.getTracks()[0].onunmute()")
    house.sees()
    phone.context.set_offline(True)
    house.says("Nothing has come from the phone")
    expect(phone.page.locator(".phone-state")).to_contain_text("The station does not answer")
    phone.context.set_offline(False)
    house.sees()
    port = int(house.station.url.rsplit(":", 1)[1])
    house.station.stop()
    house.station = house.begin(port)  # nobody touches the phone
    house.sees()
    phone.page.goto("about:blank")
    house.says("was closed")


def test_little_is_sent_while_people_think(house: PhoneStation):
    house.film.throw([1, 2, 3, 4, 6], still_s=0.2).done()  # of which the end stays, as a film of its own
    house.film.film(0.2).done()
    house.station.do("start_game", players=["Ana"], rules="yacht-1938")
    phone = house.phone()
    house.station.wait_for(lambda it: it["reading"]["status"] == "ready")
    phone.page.evaluate("""() => {
        window.sent = { picture: 0, word: 0, under: 0, most: 0 };
        const plain = fetch;
        window.fetch = async (path, how) => {
            const kind = String(path).split(/[/?]/)[4];
            if (!(kind in sent)) return plain(path, how);
            sent[kind] += 1;
            sent.most = Math.max(sent.most, ++sent.under);
            try { return await plain(path, how); } finally { sent.under -= 1; }
        }; }""")
    phone.until("() => sent.word >= 20")
    sent = phone.page.evaluate("sent")
    assert sent["picture"] < sent["word"] / 3, sent
    assert sent["most"] == 1, "never two on their way"


def test_the_phone_sees_movement_where_the_station_does(standing: StationProcess, open_screen: Open):
    page = open_screen(standing.url, path="/camera").page
    module = page.evaluate("document.querySelector('link[href$=\"phone_motion.js\"]').href")
    seed = np.random.default_rng(3)
    ground = cv2.GaussianBlur(seed.integers(0, 255, (144, THUMB_WIDTH), np.uint8), (0, 0), 2)
    ground = cv2.normalize(ground, None, 40, 200, cv2.NORM_MINMAX)
    pairs = [
        (ground, np.roll(ground, 1, 1)),
        (ground, np.clip(ground + seed.integers(-9, 9, ground.shape), 0, 255).astype(np.uint8)),
        *((ground, cv2.circle(ground.copy(), (60 + 9 * size, 70), size, 255, -1)) for size in range(5)),
        *(
            (ground, np.clip(ground.astype(int) + light, 0, 255).astype(np.uint8))
            for light in (4, 12, 20, 40)
        ),
    ]
    changed = page.evaluate(
        """async ([module, pairs]) => {
            const { changed } = await import(module);
            return pairs.map((pair) => changed(...pair.map((values) => new Uint8ClampedArray(values)))); }""",
        [module, [[each.ravel().tolist() for each in pair] for pair in pairs]],
    )
    assert changed == [detect_change(*pair).any for pair in pairs]
    assert {True, False} == set(changed)
