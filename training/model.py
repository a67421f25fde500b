"""The two networks in PyTorch (a tool of training only)."""

from pathlib import Path

import torch
from torch import nn


def block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class FaceNet(nn.Module):
    """Patches (n, 3, 48, 48), each with mean 0 and deviation 1, to logits (n, 7).

    Plain 3x3 convolutions (the quickest in OpenCV), the mean and the maximum over the last map.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            block(3, w, 2),
            block(w, w + w // 2),
            block(w + w // 2, 2 * w, 2),
            block(2 * w, 3 * w),
            block(3 * w, 4 * w, 2),
            block(4 * w, 4 * w),
            block(4 * w, 4 * w),
        )
        self.mean, self.most = nn.AvgPool2d(6), nn.MaxPool2d(6)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(8 * w, 7))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Logits (n, 7) of patches (n, 3, 48, 48)."""
        seen = self.body(patches)
        return self.head(torch.cat([self.mean(seen), self.most(seen)], 1))


def folded(network: nn.Module) -> nn.Module:
    """The same network in evaluation form with every batch norm folded into its convolution."""
    network.eval()
    for part in network.modules():
        if isinstance(part, nn.Sequential):
            for name, (conv, norm) in enumerate(zip(list(part), list(part)[1:], strict=False)):
                if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                    part[name] = nn.utils.fuse_conv_bn_eval(conv, norm)
                    part[name + 1] = nn.Identity()
    return network


def export(network: nn.Module, sample: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """Write an ONNX file that OpenCV reads (opset 12); `free`: the input's axes that may have any length."""
    torch.onnx.export(
        folded(network),
        (sample,),
        str(path),
        input_names=["seen"],
        output_names=["answer"],
        dynamic_axes={"seen": free, "answer": free},
        opset_version=12,
        dynamo=False,
    )
