"""A stand to print: `python -m hardware.stand DIR --height 297 --reach 140` writes its parts as STL files.

Four kinds of parts and two square tubes (aluminium 20 x 20 x 1.5 mm from a hardware shop, or printed):
a foot that is screwed to the board under the tray, an elbow, a head that carries the camera, and the tubes.
Every part is flat on the printer and needs no supports. Where two solids of a part overlap, slicers
unite them.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import click

from hardware.solid import Flat, Solid, pull_up, rectangle, round_hole, stl

_OVERLAP_MM = 1.0
"""By so much a plug reaches into the plate it stands on."""
_SEGMENT_MAX_MM = 180.0


@dataclass(frozen=True, slots=True)
class CameraStand:
    """The measures of a stand in mm.

    height: lens above the floor of the tray. reach: post to the middle of the tray. floor: thickness of the
    tray's floor and what is under it, above the board. tube, wall: outside and wall of the square tubes.
    gap: play between plug and tube, all round; more where parts do not go together.
    """

    height: float = 297.0
    reach: float = 140.0
    floor: float = 5.0
    tube: float = 20.0
    wall: float = 1.5
    gap: float = 0.15
    plug: float = 45.0
    plate: float = 5.0

    def __post_init__(self) -> None:
        if min(self.height, self.reach, self.tube, self.plug, self.plate) <= 0 or self.inner < 6:
            raise click.BadParameter(
                "every measure of the stand has to be larger, or the tube's wall thinner"
            )

    @property
    def inner(self) -> float:
        """Edge of a plug."""
        return self.tube - 2 * self.wall - 2 * self.gap

    @property
    def post_mm(self) -> float:
        """Length of the upright tube, between foot and elbow; the lens ends level with the head's plate."""
        return self.height + self.floor + self.inner / 2 - self.tube / 2 - self.plate

    @property
    def arm_mm(self) -> float:
        """Length of the level tube, from the elbow to the head's plate."""
        return self.reach - self.tube / 2 - HEAD_MM[0] / 2


CAMERA_HOLES_MM: tuple[Flat, ...] = ((-6.25, -10.5), (6.25, -10.5), (6.25, 10.5), (-6.25, 10.5))
"""The four M2 holes of every Raspberry Pi camera module: 21 mm apart across the arm, 12.5 mm along it.

Source: the makers' mechanical drawings. The picture's long side is across the arm, as the tray does.
"""
HEAD_MM = (40.0, 46.0)
HEAD_PLATE_MM = 3.0


def foot(stand: CameraStand) -> tuple[Solid, ...]:
    """A plate with four screw holes and the plug for the post."""
    edge = stand.tube + 50
    at = edge / 2 - 9
    holes = [round_hole((x, y), 4.5) for x in (-at, at) for y in (-at, at)]
    plate = pull_up(rectangle((edge, edge)), stand.plate, holes=holes)
    plug = pull_up(
        rectangle((stand.inner, stand.inner)), stand.plug + _OVERLAP_MM, from_mm=stand.plate - _OVERLAP_MM
    )
    return plate, plug


def elbow(stand: CameraStand) -> tuple[Solid, ...]:
    """Two plugs at a right angle, with a corner as wide as the tubes; printed lying on its side."""
    half, inner, out = stand.tube / 2, stand.inner / 2, stand.tube / 2 + stand.plug
    outline = (
        (-half, -half), (-inner, -half), (-inner, -out), (inner, -out), (inner, -half),
        (half, -half), (half, -inner), (out, -inner), (out, inner), (half, inner), (half, half),
        (-half, half),
    )  # fmt: skip
    return (pull_up(outline, stand.inner),)


def head(stand: CameraStand) -> tuple[Solid, ...]:
    """The plate on which the camera is mounted, looking down through it, and the plug for the arm.

    The opening is longer than a lens, because its place on the board differs between the modules.
    """
    opening = rectangle((19, 15), (1, 0))
    plate = pull_up(
        rectangle(HEAD_MM), HEAD_PLATE_MM, holes=[opening, *(round_hole(at, 2.3) for at in CAMERA_HOLES_MM)]
    )
    rooted = 8.0  # so much of the plug is on the plate; the camera's board ends 14 mm from the middle
    length = stand.plug + rooted - 2
    middle = (-HEAD_MM[0] / 2 + rooted - 2 - length / 2, 0)
    return plate, pull_up(rectangle((length, stand.inner), middle), stand.inner)


def tube(stand: CameraStand, length_mm: float) -> tuple[Solid, ...]:
    """A printed tube, standing."""
    hole = rectangle((stand.tube - 2 * stand.wall, stand.tube - 2 * stand.wall))
    return (pull_up(rectangle((stand.tube, stand.tube)), length_mm, holes=[hole]),)


def joint(stand: CameraStand) -> tuple[Solid, ...]:
    """A plug that joins two printed tubes."""
    return (pull_up(rectangle((stand.inner, 2 * stand.plug)), stand.inner),)


def parts(stand: CameraStand) -> dict[str, tuple[Solid, ...]]:
    """Every part by its file name; the number in front says how many to print."""
    found = {"1-foot": foot(stand), "1-elbow": elbow(stand), "1-head": head(stand)}
    for name, length in (("post", stand.post_mm), ("arm", stand.arm_mm)):
        pieces = math.ceil(length / _SEGMENT_MAX_MM)
        found[f"{pieces}-{name}-tube"] = tube(stand, length / pieces)
        if pieces > 1:
            found[f"{pieces - 1}-{name}-joint"] = joint(stand)
    return found


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--height", type=float, default=297, show_default=True, help="Lens above the tray ('yacht height')."
)
@click.option("--reach", type=float, default=140, show_default=True, help="Post to the middle of the tray.")
@click.option("--floor", type=float, default=5, show_default=True, help="Thickness of the tray's floor.")
@click.option("--tube", type=float, default=20, show_default=True, help="Outside of the square tubes.")
@click.option("--wall", type=float, default=1.5, show_default=True, help="Their wall.")
@click.option("--gap", type=float, default=0.15, show_default=True, help="Play of a plug, on each side.")
def main(folder: Path, **measures: float) -> None:
    """Write the parts of the stand into FOLDER, in mm."""
    stand = CameraStand(**measures)
    folder.mkdir(parents=True, exist_ok=True)
    for name, solids in parts(stand).items():
        (folder / f"{name}.stl").write_bytes(stl(solids, name))
        click.echo(f"{folder / name}.stl")
    click.echo(f"Post {stand.post_mm:.0f} mm, arm {stand.arm_mm:.0f} mm: cut bought tubes to these lengths.")


if __name__ == "__main__":
    main()
