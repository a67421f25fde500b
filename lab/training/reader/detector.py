"""The detector: where dice are in a whole picture, and how large they look."""

import torch
from torch import nn
from torch.nn import functional

from lab.training.reader.backbone import CHANNELS, Backbone, Normed

BLOCKS = 11
KEPT = 2
LEVELS = (3, 5, 11)  # the blocks after which maps are a quarter, an eighth and a sixteenth of the picture


class Detector(nn.Module):
    """Pictures (n, 3, h, w), -1 to 1, RGB, sides multiples of 16, to maps (n, 4, h / 4, w / 4).

    Channels: logit of "the middle of a die is here"; log2 of its size over 32 pixels; x and y of the middle
    against the cell's middle, in cells.
    """

    def __init__(self, backbone: Backbone, width: int = 64) -> None:
        super().__init__()
        self.backbone = backbone
        self.sides = nn.ModuleList(nn.Conv2d(CHANNELS[level], width, 1) for level in LEVELS)
        self.smooth = nn.ModuleList(_mixing(width) for _ in LEVELS[1:])
        self.last = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 4, 1))
        nn.init.constant_(self.last[2].bias[:1], -4.0)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Maps (n, 4, h / 4, w / 4)."""
        levels = self.backbone(pictures, LEVELS)
        sides = [side(level) for side, level in zip(self.sides, levels, strict=True)]
        maps = sides[-1]
        for side, smooth in zip(reversed(sides[:-1]), self.smooth, strict=True):
            maps = smooth(side + functional.interpolate(maps, scale_factor=2.0, mode="nearest"))
        output: torch.Tensor = self.last(maps)
        return output


def _mixing(width: int) -> nn.Module:
    """Look round in each channel, then across them."""
    return nn.Sequential(Normed(width, width, 5, groups=width), nn.Conv2d(width, width, 1), nn.ReLU())


def loss(maps: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat (Law and Deng, "CornerNet", ECCV 2018) and the distances of size and place."""
    heat, known, weight = wanted[:, 0], wanted[:, 4:5], wanted[:, 5]
    odds = torch.sigmoid(maps[:, 0]).clamp(1e-4, 1 - 1e-4)
    middle = (heat > 0.999).float()
    hit = -middle * (1 - odds) ** 2 * odds.log()
    miss = -(1 - middle) * (1 - heat) ** 4 * odds**2 * (1 - odds).log()
    size = functional.smooth_l1_loss(maps[:, 1:2] * known, wanted[:, 1:2] * known, reduction="sum", beta=0.1)
    place = functional.smooth_l1_loss(maps[:, 2:4] * known, wanted[:, 2:4] * known, reduction="sum", beta=0.3)
    heat_loss = ((hit + miss) * weight).sum() / middle.sum().clamp(min=1)
    return heat_loss + (size + 0.5 * place) / known.sum().clamp(min=1)
