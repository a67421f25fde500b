"""The two networks in PyTorch (a tool of training only)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

Network = TypeVar("Network", bound=nn.Module)


def block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class FaceNet(nn.Module):
    """Patches (n, 6, 48, 48) as `vision.inference.face_looks.normalised` gives them, to (n, 10).

    The first seven are logits (none, 1-6), the rest say where the face lies
    (`vision.inference.face_looks.classify_faces`).
    Plain 3x3 convolutions (the quickest in OpenCV); the mean, the maximum and a thin map of the last layer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(6, 20, 2),
            block(20, 28),
            block(28, 40, 2),
            block(40, 56),
            block(56, 80, 2),
            block(80, 80),
            block(80, 80),
        )
        self.mean, self.most = nn.AvgPool2d(6), nn.MaxPool2d(6)
        self.where = block(80, 12, kernel=1)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * 80 + 12 * 36, 10))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """(n, 10) of patches (n, 6, 48, 48)."""
        seen = self.body(patches)
        parts = [torch.flatten(part, 1) for part in (self.mean(seen), self.most(seen), self.where(seen))]
        return self.head(torch.cat(parts, 1))


def _normed(network: nn.Module) -> Iterator[tuple[str, nn.Sequential, int]]:
    """Where a batch norm follows a convolution: its full name, the part that holds both, its place there."""
    for within, part in network.named_modules():
        if isinstance(part, nn.Sequential):
            for place, (conv, norm) in enumerate(zip(list(part), list(part)[1:], strict=False)):
                if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                    yield f"{within}.{place}", part, place


def folded(network: nn.Module) -> nn.Module:
    """The same network in evaluation form with every batch norm folded into its convolution."""
    network.eval()
    for _, part, place in list(_normed(network)):
        part[place] = nn.utils.fuse_conv_bn_eval(part[place], part[place + 1])
        part[place + 1] = nn.Identity()
    return network


def unfolded(network: Network, path: Path, sample: torch.Tensor) -> Network:
    """A new network that answers as the exported one does, its batch norms set by what a sample shows them.

    Like that it can be taught on as it was taught first.
    """
    held = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(path)).graph.initializer}
    weights = {name: torch.from_numpy(values.astype(np.float32)) for name, values in held.items()}
    network.eval().load_state_dict(
        {name: values for name, values in weights.items() if name in network.state_dict()}, strict=False
    )
    hooks = [
        part[place + 1].register_forward_hook(_set_by(weights[f"{name}.bias"]))
        for name, part, place in _normed(network)
    ]
    with torch.no_grad():
        network(sample)
    for hook in hooks:
        hook.remove()
    return network


def _set_by(
    bias: torch.Tensor,
) -> Callable[[nn.Module, tuple[torch.Tensor, ...], torch.Tensor], torch.Tensor]:
    """A hook that has a batch norm add `bias` (channels,) and nothing else, with what it sees as its mean."""

    def set_norm(norm: nn.Module, given: tuple[torch.Tensor, ...], _: torch.Tensor) -> torch.Tensor:
        mean, variance = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(mean + bias)
        return given[0] + bias[:, None, None]

    return set_norm


def rounded(network: nn.Module) -> nn.Module:
    """The same network, its weights rounded to half precision."""
    with torch.no_grad():
        for weights in network.parameters():
            weights.copy_(weights.half().float())
    return network


def halved(path: Path) -> None:
    """Store the weights of an ONNX file in half precision; OpenCV widens them again when it loads them."""
    held = onnx.load(str(path))
    for weights in held.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            narrow = numpy_helper.to_array(weights).astype(np.float16)
            weights.CopyFrom(numpy_helper.from_array(narrow, weights.name))
    onnx.save(held, str(path))


def export(network: nn.Module, sample: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """Write an ONNX file of half the size that OpenCV reads (opset 12).

    network: `folded` and `rounded`. free: the input's axes that may have any length, and their names.
    """
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        input_names=["seen"],
        output_names=["answer"],
        dynamic_axes={"seen": free, "answer": free},
        opset_version=12,
        dynamo=False,
    )
    halved(path)
