"""The finder in PyTorch: a whole picture in, a map of dice out."""

import torch
from torch import nn
from torch.nn import functional

from lab.training.model import block


class FinderNet(nn.Module):
    """Pictures (n, 3, h, w), h and w multiples of 8, to maps (n, 4, h/4, w/4).

    Channels: logit of "the middle of a top face is here"; log2 of the face's edge over 16 pixels; x and y of
    the middle against the cell's middle, in cells. Works for edges of about 8 to 48 pixels.
    """

    def __init__(self, width: int = 12) -> None:
        super().__init__()
        w = width
        self.near = nn.Sequential(block(3, w, 2), block(w, 3 * w, 2), block(3 * w, 3 * w))
        self.far = nn.Sequential(
            block(3 * w, 4 * w, 2), block(4 * w, 4 * w), block(4 * w, 4 * w), block(4 * w, 4 * w)
        )
        self.back = nn.Sequential(nn.Conv2d(4 * w, 3 * w, 1, bias=False), nn.BatchNorm2d(3 * w))
        self.last = nn.Sequential(block(3 * w, 3 * w), nn.Conv2d(3 * w, 4, 1))
        nn.init.constant_(self.last[1].bias[:1], -4.0)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Maps (n, 4, h/4, w/4)."""
        near = self.near(pictures)
        far = functional.interpolate(self.back(self.far(near)), scale_factor=2.0, mode="nearest")
        return self.last(functional.relu(near + far))
