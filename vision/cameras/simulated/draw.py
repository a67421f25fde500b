"""`draw(scene)`: a still picture with its truth."""

import cv2
import numpy as np

from vision.cameras.simulated.backdrop import make_backdrop
from vision.cameras.simulated.compose import Box, Image, compose, expose, layer
from vision.cameras.simulated.dice import Surroundings
from vision.cameras.simulated.scene import Scene


def draw(scene: Scene) -> Image:
    """(h, w, 3) uint8 BGR."""
    backdrop = make_backdrop(scene.view, scene.tray, scene.light, scene.seed)
    layers = []
    for die in scene.dice:
        others = tuple(other for other in scene.dice if other is not die)
        one = layer(scene.view, die, Surroundings(scene.light, backdrop.floor, others))
        if one is not None:
            layers.append(one)
    box = Box(0, 0, *scene.view.size_wh)
    light = compose(backdrop, scene.light, layers, box)
    picture = expose(light, scene.sensor, scene.view.size_wh, box)
    rng = np.random.default_rng(scene.seed)
    noise = cv2.GaussianBlur(
        rng.normal(0, 6 * scene.sensor.noise, picture.shape).astype(np.float32), (0, 0), 0.6
    )
    return np.clip(picture + noise, 0, 255).astype(np.uint8)
