"""Other light, colour, focus and storage for a picture that teaches, chosen by chance."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
BLUE_GREEN_RED = (0.114, 0.587, 0.299)  # share of each in grey (ITU-R BT.601)


def relit(rng: np.random.Generator, picture: Picture) -> Picture:
    """A picture (h, w, 3) BGR in other light: gain, gamma, colour of light, shadow, saturation, grey."""
    seen = picture.astype(np.float32) / 255
    grey = seen @ np.array(BLUE_GREEN_RED, np.float32)
    vivid = 0.0 if rng.random() < 0.12 else float(np.exp(rng.normal(0, 0.35)))
    seen = grey[..., None] + vivid * (seen - grey[..., None])
    if rng.random() < 0.15:
        seen = seen[..., rng.permutation(3)]
    seen = np.clip(seen, 0, 1) ** float(np.exp(rng.normal(0, 0.3)))
    seen *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * float(np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.4:
        seen *= _shade(rng, picture.shape[0], picture.shape[1])[..., None]
    seen = 0.5 + (seen - 0.5) * float(np.exp(rng.normal(0, 0.2))) + float(rng.normal(0, 0.05))
    if rng.random() < 0.04:
        seen = 1 - seen
    return np.asarray(255 * np.clip(seen, 0, 1), np.uint8)


def _shade(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """Light (h, w) that falls off across the picture, or the edge of a shadow."""
    angle, edge = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    across = np.cos(angle) * (x / width - 0.5) + np.sin(angle) * (y / height - 0.5) - edge
    softness, dark = float(np.exp(rng.uniform(np.log(0.01), np.log(1.0)))), rng.uniform(0.35, 0.9)
    return np.asarray(dark + (1 - dark) / (1 + np.exp(np.clip(-across / softness, -30, 30))), np.float32)


def marbled(rng: np.random.Generator, picture: Picture) -> Picture:
    """The same under clouds or veins of another colour, as on marbled and pearly dice."""
    height, width = picture.shape[:2]
    coarse = rng.normal(0, 1, (int(rng.integers(3, 10)),) * 2).astype(np.float32)
    cloud = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    vein = np.clip(0.5 + np.sin(cloud * float(rng.uniform(1, 8))), 0, 1) * rng.uniform(0.15, 0.55)
    colour = rng.uniform(0, 255, 3)
    return np.asarray(picture + vein[..., None] * (colour - picture), np.uint8)


def stored(rng: np.random.Generator, picture: Picture) -> Picture:
    """The same, out of focus or shaken, then kept in a file."""
    seen = picture
    if rng.random() < 0.3:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.8))), np.uint8)
    if rng.random() < 0.12:
        seen = np.asarray(cv2.filter2D(seen, -1, _shake(rng)), np.uint8)
    return _kept(rng, seen)


def rougher(rng: np.random.Generator, picture: Picture) -> Picture:
    """The same, often without colour, far out of focus or strongly compressed."""
    seen = picture
    if rng.random() < 0.25:
        seen = np.repeat(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
    if rng.random() < 0.2:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.8, 2.8))), np.uint8)
    if rng.random() < 0.25:
        _, data = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(8, 40))])
        seen = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return seen


def _kept(rng: np.random.Generator, picture: Picture) -> Picture:
    """The same with the sensor's noise, sharpened, compressed."""
    seen = picture
    if rng.random() < 0.15:
        soft = cv2.GaussianBlur(seen, (0, 0), 1.2)
        amount = float(rng.uniform(0.3, 1.2))
        seen = np.asarray(cv2.addWeighted(seen, 1 + amount, soft, -amount, 0), np.uint8)
    if rng.random() < 0.4:
        noise = rng.normal(0, rng.uniform(2, 14), seen.shape[:2] + ((3,) if rng.random() < 0.5 else (1,)))
        seen = np.asarray(np.clip(seen + noise, 0, 255), np.uint8)
    if rng.random() < 0.5:
        _, data = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(18, 95))])
        seen = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return seen


def _shake(rng: np.random.Generator) -> NDArray[np.float32]:
    """A straight motion of three to seven pixels as a kernel (7, 7) that sums to one."""
    kernel = np.zeros((7, 7), np.uint8)
    angle, half = rng.uniform(0, np.pi), rng.uniform(1.0, 3.0)
    way = np.array([np.cos(angle), np.sin(angle)]) * half
    start, end = np.rint(3 - way).astype(int), np.rint(3 + way).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), (255,))
    return np.asarray(kernel / kernel.sum(), np.float32)


def coarser(rng: np.random.Generator, picture: Picture, factor: float) -> Picture:
    """The same as a camera of `factor` times fewer pixels would have kept it, in the size it had."""
    height, width = picture.shape[:2]
    small = cv2.resize(
        picture,
        (max(1, round(width * factor)), max(1, round(height * factor))),
        interpolation=cv2.INTER_AREA,
    )
    small = _kept(rng, np.asarray(small, np.uint8))  # noise and JPEG squares are as large as its pixels
    back = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)[int(rng.integers(2))]
    return np.asarray(cv2.resize(small, (width, height), interpolation=back), np.uint8)
