"""The grain of felt, leather, wood, cardboard, plastic, cloth and paper, as tiles that repeat."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.geometry import Floats
from simulator.linear_light import coded, coloured, linear
from simulator.scene import Material, Rgb

TILE_MM = 260.0
TILE_PX = 640


@lru_cache(maxsize=32)
def cloud(seed: int, steepness: float, stretch: float = 1.0, low: float = 1.0) -> Floats:
    """Noise with a power-law spectrum that repeats seamlessly, (TILE_PX, TILE_PX), read only.

    Its mean is 0 and its deviation 1. steepness: 0 white; 1 pink; more is smoother. stretch: how much
    longer along x. low: waves to a tile below which there is nothing.
    """
    px, rng = TILE_PX, np.random.default_rng(seed)
    fy = np.fft.fftfreq(px)[:, None] * px
    fx = np.fft.rfftfreq(px)[None, :] * px * stretch
    radius = np.hypot(fx, fy)
    strength = np.where(radius < low, 0, 1 / np.maximum(radius, 1) ** steepness)
    phase = rng.uniform(0, 2 * np.pi, radius.shape)
    field = np.fft.irfft2(strength * np.exp(1j * phase), (px, px))
    noise = np.asarray((field - field.mean()) / (field.std() + 1e-12), np.float32)
    noise.setflags(write=False)
    return noise


@lru_cache(maxsize=16)
def tile(material: Material, first: Rgb, second: Rgb, seed: int) -> NDArray[np.uint8]:
    """A piece of material, TILE_MM wide, (TILE_PX, TILE_PX, 3) uint8 gamma-coded BGR; read only."""
    colour, other = linear(first), linear(second)
    makers = {
        Material.FELT: _felt,
        Material.LEATHER: _leather,
        Material.WOOD: _wood,
        Material.CARDBOARD: _cardboard,
        Material.PLASTIC: _plastic,
        Material.CLOTH: _cloth,
        Material.PAPER: _paper,
    }
    piece = coded(np.clip(makers[material](seed, colour, other), 0.002, 1).astype(np.float32))
    piece.setflags(write=False)
    return piece


def forget() -> None:
    """Let go of tiles and of the noise that they are made of, 17 MB for one tray."""
    tile.cache_clear()
    cloud.cache_clear()


def _grey(colour: Floats, field: Floats) -> Floats:
    return np.asarray(coloured(field, colour), np.float32)


def _felt(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    fibre = cloud(seed + 100, 0.35, low=60)
    nap = cloud(seed + 200, 1.4, low=2)
    return _grey(colour, 1 + 0.10 * fibre + 0.07 * nap)


def _leather(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    band = cloud(seed + 300, 1.0, low=70)
    band = np.asarray(cv2.GaussianBlur(band, (0, 0), 1.6), np.float32)
    crease = np.exp(-((band / (band.std() * 0.35)) ** 2))
    patina = cloud(seed + 400, 1.6, low=1)
    return _grey(colour, 1.05 - 0.38 * crease + 0.12 * patina)


def _wood(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    y = np.linspace(0, 2 * np.pi, TILE_PX, endpoint=False, dtype=np.float32)[:, None]
    drift = cloud(seed + 500, 1.9, stretch=5.0)
    rings = np.asarray(np.sin(9 * y + 2.6 * drift) * 0.5 + 0.5, np.float32)
    pores = cloud(seed + 600, 0.5, stretch=26.0, low=30)
    dark = np.clip(pores - 1.1, 0, 2)
    tone = cloud(seed + 700, 1.8, stretch=2.0)
    grain = 1 + 0.20 * (rings**3 - 0.3) + 0.05 * pores - 0.22 * dark + 0.05 * tone
    warm = 1 + coloured(rings - 0.5, np.array([-0.10, -0.02, 0.04], np.float32))
    return np.asarray(_grey(colour, grain) * warm, np.float32)


def _cardboard(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    y = np.arange(TILE_PX, dtype=np.float32)[:, None]
    flutes = np.sin(2 * np.pi * y * 42 / TILE_PX) * (0.6 + 0.2 * cloud(seed + 800, 1.6))
    fibre = cloud(seed + 900, 0.6, stretch=2.0, low=20)
    stain = cloud(seed + 1000, 1.8)
    return _grey(colour, 1 + 0.025 * flutes + 0.045 * fibre + 0.04 * stain)


def _plastic(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    return _grey(colour, 1 + 0.008 * cloud(seed + 1100, 0.3, low=80) + 0.012 * cloud(seed + 1200, 1.8))


def _paper(seed: int, colour: Floats, other: Floats) -> Floats:
    del other
    return _grey(colour, 1 + 0.014 * cloud(seed + 1300, 0.4, low=50) + 0.015 * cloud(seed + 1400, 1.8))


def _cloth(seed: int, colour: Floats, other: Floats) -> Floats:
    """A printed cloth: stripes, checks, dots or leaves, by the seed."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:TILE_PX, 0:TILE_PX].astype(np.float32) / TILE_PX
    count = int(rng.integers(7, 18))
    kind = int(rng.integers(0, 4))
    wave_x, wave_y = np.sin(2 * np.pi * count * x), np.sin(2 * np.pi * count * y)
    if kind == 0:
        print_ = (wave_x > 0.2).astype(np.float32)
    elif kind == 1:
        print_ = ((wave_x > 0).astype(np.float32) + (wave_y > 0).astype(np.float32)) / 2
    elif kind == 2:
        radius = np.hypot((x * count) % 1 - 0.5, (y * count) % 1 - 0.5)
        print_ = (radius < rng.uniform(0.16, 0.3)).astype(np.float32)
    else:
        petals = cloud(seed + 1500, 1.3, low=count)
        print_ = (cv2.GaussianBlur(petals, (0, 0), 6) > 0.45).astype(np.float32)
    print_ = cv2.GaussianBlur(print_, (0, 0), 1.0)[..., None]
    weave = 1 + 0.06 * np.sin(2 * np.pi * 240 * x) * np.sin(2 * np.pi * 240 * y)
    weave = weave + 0.05 * cloud(seed + 1600, 0.4, low=60) + 0.03 * cloud(seed + 1700, 1.8)
    return np.asarray((colour + (other - colour) * print_) * weave[..., None], np.float32)
