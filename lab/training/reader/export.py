"""Write a network of the next reader as ONNX, its norms folded into its convolutions."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from lab.training.reader.backbone import Normed

OPSET = 12  # OpenCV 4.11 and ONNX Runtime both read it
SMALL = 64  # so few weights stay as they are


def _plain(normed: Normed) -> nn.Conv2d:
    """A convolution that says what a `Normed` said, but padded evenly: `_pad_as_taught` mends that."""
    one = normed.convolution
    plain = nn.Conv2d(
        one.in_channels,
        one.out_channels,
        one.kernel_size[0],
        one.stride[0],
        one.kernel_size[0] // 2,
        groups=one.groups,
    )
    with torch.no_grad():
        for mine, taught in zip((plain.weight, plain.bias), normed.plain(), strict=True):
            mine.copy_(taught)
    return plain


def _pad_as_taught(path: Path) -> None:
    """Give the convolutions that halve their odd row below and to the right, as an attribute.

    Exported as padding of their own it could not be read by OpenCV.
    """
    held = onnx.load(str(path))
    for node in held.graph.node:
        attributes = {one.name: list(one.ints) for one in node.attribute if one.ints}
        if node.op_type == "Conv" and attributes["strides"] == [2, 2]:
            before = (attributes["kernel_shape"][0] - 2) // 2
            after = attributes["kernel_shape"][0] - 2 - before
            (pads,) = (one for one in node.attribute if one.name == "pads")
            pads.ints[:] = [before, before, after, after]
    onnx.save(held, str(path))


def _halve(path: Path) -> None:
    """Store the weights in half precision; they are made float32 again when the network is loaded."""
    held = onnx.load(str(path))
    casts = []
    for weights in held.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size > SMALL:
            name = weights.name
            weights.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
            casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *held.graph.node]
    del held.graph.node[:]
    held.graph.node.extend(nodes)
    onnx.save(held, str(path))


def folded(network: nn.Module) -> nn.Module:
    """A copy without norms, padded evenly."""
    network = copy.deepcopy(network).eval().to(memory_format=torch.contiguous_format)
    for part in list(network.modules()):
        for name, child in part.named_children():
            if isinstance(child, Normed):
                setattr(part, name, _plain(child))
    return network


def write(network: nn.Module, path: Path, side: int, facts: dict[str, Any], *, half: bool = False) -> None:
    """PATH (pictures of any multiple of 16 and any number of them in) and its facts beside it as JSON.

    half: the weights are stored in half precision.
    """
    plain = folded(network)
    sample = torch.zeros(1, 3, side, side)
    with torch.no_grad():
        answer = plain(sample)
    free = {0: "n", 2: "h", 3: "w"} if answer.ndim == 4 else {0: "n"}
    names = {"input_names": ["seen"], "output_names": ["answer"]}
    torch.onnx.export(
        plain,
        (sample,),
        str(path),
        dynamic_axes={"seen": free, "answer": free},
        opset_version=OPSET,
        dynamo=False,
        **names,
    )
    _pad_as_taught(path)
    if half:
        _halve(path)
    description = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "torch": torch.__version__,
        **facts,
    }
    path.with_suffix(".json").write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")
