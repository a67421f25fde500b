"""The trial of `make torture` with real power cuts: a game on the virtual Pi, whose plug is pulled."""

import os
import random
import sys
from typing import Any

from lab.torture.row import Row, times
from lab.virtual_pi import machine

POWER_CUTS = 50


def power_cuts(share: float) -> list[Row]:
    """Power cuts on the virtual Pi (lab/docs/virtual-pi.md); no row, and why, where it has not been built.

    The whole appliance with its own kernel, or the station alone with Debian's (`--plain`).
    """
    built = machine.cache()
    whole, plain, image, folder = built / "linux", built / "linux-plain", built / "pi.img", built / "run"
    if whole.exists() and image.exists() and os.geteuid() == 0:
        virtual_pi = machine.Machine(whole, folder / "disk.img", folder / "host")
        machine.prepare(virtual_pi, image)
    elif plain.exists():
        virtual_pi = machine.prepare_bare(plain, folder)
    else:
        sys.stderr.write("power cuts: not tried; `make virtual-pi ARGS=--plain` gets what they need\n")
        return []
    with machine.many_maps():
        if not virtual_pi.bare and not (installed := virtual_pi.run("install", 1_800))["ok"]:
            raise RuntimeError(f"the virtual Pi could not be installed: {installed.get('error')}")
        found = virtual_pi.cuts(times(POWER_CUTS, share), random.Random())  # noqa: S311 - when to pull a plug
    return [row(found, "the station alone" if virtual_pi.bare else "the whole virtual Pi")]


def row(found: dict[str, Any], what: str) -> Row:
    """The row for the power cuts of `what`; a start that does not reach the game counts as lost."""
    if "error" in found:
        return Row("power cuts", found["cuts_compared"], found["lost"] + 1, 0, found["error"])
    note = (
        f"{what}, {found['answers_seen']:,} answers: {found['same_as_acknowledged']} times the last one, "
        f"{found['one_command_further']} times the command on its way"
    )
    return Row("power cuts", found["cuts_compared"], found["lost"], 0, note)
