"""Noise and compression of a still picture."""

import cv2
import numpy as np

from simulator.compose import Image
from simulator.linear_light import in_channels
from simulator.scene import SceneSensor


def develop(picture: Image, sensor: SceneSensor, seed: int) -> Image:
    """A noiseless picture as the sensor delivers it, (h, w, 3) uint8 BGR: noise, then JPEG.

    Noise grows towards the shadows, because gamma stretches them; a part of it is coloured and coarse,
    as after the reconstruction of colours.
    """
    rng = np.random.default_rng(seed)
    noisy = picture
    if sensor.noise > 0:
        shape = picture.shape[:2]
        bright = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
        level = np.float32(sensor.noise) * (np.float32(4.6) - bright * np.float32(0.011))
        fine = rng.standard_normal(shape, dtype=np.float32)
        small = rng.standard_normal(((shape[0] + 1) // 2, (shape[1] + 1) // 2, 3), dtype=np.float32)
        coarse = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
        grain = in_channels(fine * np.float32(0.75)) + coarse * np.float32(0.9)
        noisy = np.clip(picture + in_channels(level) * grain, 0, 255).astype(np.uint8)
    if sensor.jpeg is not None:
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        noisy = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)  # noqa: TID251 - just made
    return noisy
