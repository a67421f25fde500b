"""The face network: what a patch cut from the full picture shows on top, or that it shows no die."""

import torch
from torch import nn
from torch.nn import functional

from lab.training.reader.backbone import CHANNELS, Backbone

BLOCKS = 15
CLASSES = 7
SMOOTHED = 0.02


class Faces(nn.Module):
    """Patches (n, 3, 80, 80), -1 to 1, RGB, to logits (n, 7): no die, then the faces 1 to 6."""

    def __init__(self, backbone: Backbone, width: int = 384) -> None:
        super().__init__()
        self.backbone = backbone
        self.wide = nn.Sequential(nn.Conv2d(CHANNELS[BLOCKS], width, 1), nn.ReLU())
        self.last = nn.Sequential(nn.Dropout(0.15), nn.Linear(width, CLASSES))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Logits (n, 7)."""
        (maps,) = self.backbone(patches, (BLOCKS,))
        logits: torch.Tensor = self.last(self.wide(maps).mean((2, 3)))
        return logits


def loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Cross entropy, a little smoothed."""
    return functional.cross_entropy(logits, wanted, label_smoothing=SMOOTHED)
