"""What has come into the tray is told from what was always there, and the reader makes use of it."""

import cv2
import numpy as np
import pytest

from simulator.cases import example
from tests.vision.samples import dotted, drawn_sample, of_maker
from vision.empty_tray import profile_filter
from vision.empty_tray.background_model import BackgroundModel
from vision.reader import Reader
from vision.reading import Colour, DieReading, Reading, Reason, Status

SIZE = (480, 640)


def print_of_dots(seed=1):
    """A cloth with a dot every 40 px."""
    image = np.full((*SIZE, 3), (90, 60, 40), np.uint8)
    for x in range(20, 640, 40):
        for y in range(20, 480, 40):
            cv2.circle(image, (x, y), 9, (210, 220, 230), -1, cv2.LINE_AA)
    return noisy(image, seed)


def noisy(image, seed):
    return np.clip(image + np.random.default_rng(seed).normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def with_block(image, x=300, y=200):
    """A plain white block of 50 px, with two pips of the colour of the cloth's dots' ground."""
    image = image.copy()
    cv2.rectangle(image, (x, y), (x + 50, y + 50), (240, 240, 240), -1)
    for at in (13, 37):
        cv2.circle(image, (x + at, y + at), 6, (90, 60, 40), -1, cv2.LINE_AA)
    return image


def at(*spots):
    x, y = np.array(spots, np.float32).T
    return x, y, np.full(len(spots), 50, np.float32)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.15])
def test_only_what_has_come_is_news_whatever_the_light(light):
    ground = BackgroundModel(print_of_dots(), die_px=50)
    now = np.clip(with_block(print_of_dots(2)) * light, 0, 255).astype(np.uint8)
    foreground = ground.foreground(now)
    assert foreground.is_background(*at((325, 225), (100, 100), (500, 400), (0, 0))).tolist() == [
        False,
        True,
        True,
        True,
    ]
    rows, columns = np.nonzero(foreground.objects())
    scale = ground.scale
    assert (columns.min() / scale, columns.max() / scale) == pytest.approx((300, 350), abs=8)
    assert (rows.min() / scale, rows.max() / scale) == pytest.approx((200, 250), abs=8)


def test_the_ground_is_painted_over_and_what_lies_there_is_not():
    empty, now = print_of_dots(), with_block(print_of_dots(2))
    foreground = BackgroundModel(empty, die_px=50).foreground(now)
    painted = foreground.without_background(now)
    assert np.array_equal(painted[205:246, 305:346], now[205:246, 305:346])
    far = painted[300:460, 40:600]
    assert far.std((0, 1)).max() < 4 < empty[300:460, 40:600].std((0, 1)).min()
    assert not BackgroundModel(empty, die_px=50).foreground(print_of_dots(3)).any_object()


def test_a_shadow_is_no_thing_and_its_print_is_painted_over():
    empty = print_of_dots()
    shadow = np.ones(SIZE, np.float32)
    shadow[150:300, 250:450] = 0.6
    now = np.clip(with_block(print_of_dots(2)) * cv2.GaussianBlur(shadow, (0, 0), 6)[..., None], 0, 255)
    foreground = BackgroundModel(empty, die_px=50).foreground(now.astype(np.uint8))
    assert foreground.any_object()
    rows, columns = np.nonzero(foreground.objects())
    assert (
        columns.min() / foreground.background.scale,
        columns.max() / foreground.background.scale,
    ) == pytest.approx((300, 350), abs=16)
    assert (
        rows.min() / foreground.background.scale,
        rows.max() / foreground.background.scale,
    ) == pytest.approx((200, 250), abs=16)


def test_outside_the_tray_nothing_is_news():
    inside = np.zeros(SIZE, np.uint8)
    inside[:, 320:] = 255
    foreground = BackgroundModel(print_of_dots(), inside, die_px=50).foreground(
        with_block(print_of_dots(2), 100, 200)
    )
    assert not foreground.changed.any()


def test_another_picture_tells_nothing():
    ground = BackgroundModel(print_of_dots())
    assert ground.foreground(np.zeros((240, 320, 3), np.uint8)) is None
    rough = np.random.default_rng(4).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    assert ground.foreground(cv2.resize(rough, SIZE[::-1])) is None


def die(face, x, confidence=0.99):
    return DieReading(face, confidence, (float(x), 100.0), 40.0, 0.0, Colour.WHITE)


def ready(*dice):
    return Reading(Status.READY, dice)


def unsure(*dice, reasons=(Reason.LOW_CONFIDENCE,)):
    return Reading(Status.UNSURE, dice, reasons)


@pytest.mark.parametrize(
    ("first", "second", "taken"),
    [
        (unsure(die(2, 100, 0.6)), ready(die(2, 100)), True),
        (unsure(die(2, 100, 0.6), die(4, 200, 0.7)), ready(die(2, 100)), True),
        (unsure(), ready(die(2, 100, 0.97)), True),
        (unsure(), ready(die(2, 100, 0.8)), False),  # seen by the second only, and not surely
        (unsure(die(2, 100, 0.95)), ready(die(5, 100)), False),  # denied
        (unsure(die(2, 100, 0.95), die(4, 200, 0.95)), ready(die(2, 100)), False),  # gone
        (unsure(die(2, 100), reasons=(Reason.COCKED,)), ready(die(2, 100)), False),
        (unsure(die(2, 100), reasons=(Reason.STACKED,)), ready(die(2, 100)), False),
        (unsure(die(2, 100, 0.6)), unsure(die(2, 100)), False),
        (unsure(), Reading(Status.EMPTY), True),
        (unsure(die(2, 100)), Reading(Status.EMPTY), False),
    ],
)
def test_the_second_look_may_not_deny_the_first(first, second, taken):
    assert profile_filter.clearer_reading(first, second) is (second if taken else first)


@pytest.mark.slow
def test_a_printed_cloth_is_read_with_its_empty_picture(dotted_samples):
    without = [Reader(each.expected_dice).read(each.image) for each in dotted_samples]
    read = [
        Reader(each.expected_dice, each.profile, empty=each.empty).read(each.image) for each in dotted_samples
    ]
    assert not any(
        one.status is Status.READY and one.faces != each.faces
        for one, each in zip(read, dotted_samples, strict=True)
    )
    sure = [sum(one.status is Status.READY for one in several) for several in (without, read)]
    assert len(dotted_samples) - sure[1] <= (len(dotted_samples) - sure[0]) / 2


@pytest.fixture(scope="module")
def dotted_samples():
    """Pictures of a cloth that is hard to read on without."""
    return list(of_maker(dotted, 8))


@pytest.mark.slow
def test_the_empty_tray_is_empty_however_it_is_printed():
    made = example("patterned cloth", 3)
    sample = drawn_sample(made.scene, 5, None, made.image)
    assert Reader(5, sample.profile, empty=sample.empty).read(sample.empty).status is Status.EMPTY
