"""Path-traced scenes of dice that lie flat, lean or are stacked, with the exact truth, by Blender's Cycles.

`python -m lab.training.path_traced --work ../pools --first 0 --shards 4` in an environment with bpy and
OpenCV. Drawn scenes (`scenes.py`) have simple shading; here light, shadow and translucence are those of real
bodies, by which a person tells a leaning die. A shard is a file that `shelf.load` reads; its number alone
determines it.
"""

import argparse
import logging
import math
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from lab.training import shelf
from lab.training.scenes import Scene, die_truth
from simulator.geometry import AXIS_OF_FACE, CameraView, about, about_z, face_corners, face_up, resting_height
from simulator.scene import DieStyle, SceneDie

log = logging.getLogger("path_traced")
SIZE_WH = (512, 384)
EDGE_PX = (14.0, 60.0)
SAMPLES = (3, 9)
TILT_DEG = (0.0, 62.0)  # of the camera, from straight down
DICE = (8, 22)
LEAN_DEG = (7.0, 45.0)
LEANING, STACKED, THING = 0.35, 0.06, 0.25  # shares of the places of a scene
ROOM = 0.78  # radius of the floor that a die needs, edges
CELL_PX, CELLS = 96, (3, 2)  # of the picture with a die's six faces
CHECKED = np.linspace(-0.42, 0.42, 6)  # where it is checked whether a top is seen, edges from its middle
Place = tuple[float, float]


@dataclass(slots=True)
class Table:
    """A scene while it is built: dice and things, and what of the floor is taken (x, y, radius; mm)."""

    rng: random.Random
    view: CameraView
    edge_mm: float
    dice: list[SceneDie] = field(default_factory=list)
    things: list[tuple[float, float, float]] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def place(self, radius: float) -> Place | None:
        """A free place of the floor in the picture."""
        width, height = self.view.size_wh
        for _ in range(60):
            ray = self.view.rays(self.rng.uniform(0, width), self.rng.uniform(0, height)).astype(float)
            if ray[2] > -0.1:
                continue
            x, y, _ = self.view.eye - ray * self.view.eye[2] / ray[2]
            gap = self.rng.choice((0.0, 0.0, 0.5)) * self.edge_mm
            if all(math.hypot(x - a, y - b) > radius + r + gap for a, b, r in self.taken):
                self.taken.append((x, y, radius))
                return float(x), float(y)
        return None


def _links(material: Any) -> tuple[Any, Any, Any]:
    """Nodes, links and the shader of a material."""
    material.use_nodes = True
    tree = material.node_tree
    return tree.nodes, tree.links, tree.nodes["Principled BSDF"]


def _colour(
    rng: random.Random, light: tuple[float, float] = (0.02, 0.95)
) -> tuple[float, float, float, float]:
    """A colour, often grey or pale."""
    value, saturation = rng.uniform(*light), rng.choice((0.0, 0.05, 0.3, 0.8, 0.95))
    hue = rng.random() * 6
    r, g, b = (value * (1 - saturation * max(0.0, min(1.0, abs((hue - k) % 6 - 3) - 1))) for k in (0, 2, 4))
    return r, g, b, 1.0


def _veined(nodes: Any, links: Any, rng: random.Random, scale: float, colours: list[Any]) -> Any:
    """The output of a texture that mixes two colours: clouds, cells, veins or grain."""
    place = nodes.new("ShaderNodeTexCoord")
    kind = rng.choice(
        ("ShaderNodeTexNoise", "ShaderNodeTexNoise", "ShaderNodeTexVoronoi", "ShaderNodeTexWave")
    )
    texture, ramp = nodes.new(kind), nodes.new("ShaderNodeValToRGB")
    texture.inputs["Scale"].default_value = scale
    if "Distortion" in texture.inputs:
        texture.inputs["Distortion"].default_value = rng.uniform(0, 6)
    links.new(place.outputs["Object"], texture.inputs["Vector"])
    links.new(texture.outputs[0], ramp.inputs["Fac"])
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = colours
    ramp.color_ramp.elements[0].position = rng.uniform(0.2, 0.5)
    ramp.color_ramp.elements[1].position = rng.uniform(0.5, 0.9)
    return ramp.outputs["Color"]


def _bumpy(nodes: Any, links: Any, shader: Any, rng: random.Random, scale: float, most: float) -> None:
    """Roughen the surface of a shader."""
    place, texture, bump = (
        nodes.new(f"ShaderNode{name}")
        for name in ("TexCoord", rng.choice(("TexNoise", "TexVoronoi")), "Bump")
    )
    texture.inputs["Scale"].default_value = scale
    bump.inputs["Strength"].default_value = rng.uniform(0.0, most)
    links.new(place.outputs["Object"], texture.inputs["Vector"])
    links.new(texture.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def _plain(
    rng: random.Random, name: str, light: tuple[float, float] = (0.02, 0.95), scale: float = 0.05
) -> Any:
    """A material of one or two colours, for floors and things. scale: of its pattern, per mm."""
    material = bpy.data.materials.new(name)
    nodes, links, shader = _links(material)
    colour = _colour(rng, light)
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = rng.uniform(0.15, 1.0)
    if rng.random() < 0.6:
        other = (
            _colour(rng, light) if rng.random() < 0.3 else tuple(c * rng.uniform(0.5, 1.3) for c in colour)
        )
        colours = _veined(nodes, links, rng, scale * rng.uniform(0.3, 10), [colour, other])
        links.new(colours, shader.inputs["Base Color"])
    if rng.random() < 0.6:
        _bumpy(nodes, links, shader, rng, scale * rng.uniform(2, 40), 0.8)
    return material


def _pips(rng: random.Random) -> NDArray[np.float32]:
    """(h, w) 0-1, the pips of six faces in cells, face 1 at the bottom left."""
    apart, radius = rng.uniform(0.19, 0.29), rng.uniform(0.065, 0.115)
    sheet = np.zeros((CELL_PX * CELLS[1], CELL_PX * CELLS[0]), np.float32)
    one = radius * rng.choice((1.0, 1.0, 1.0, 1.6))
    for face in range(1, 7):
        column, row = (face - 1) % CELLS[0], (face - 1) // CELLS[0]
        for x, y in _dots(face, apart):
            middle = ((column + 0.5 + x) * CELL_PX, (row + 0.5 + y) * CELL_PX)
            size = (one if face == 1 else radius) * CELL_PX
            fixed = tuple(round(v * 16) for v in middle)
            cv2.circle(sheet, fixed, round(size * 16), 1.0, -1, cv2.LINE_AA, 4)  # type: ignore[call-overload]
    return np.asarray(np.clip(cv2.GaussianBlur(sheet, (0, 0), 0.8), 0, 1), np.float32)


def _die_material(rng: random.Random, edge_mm: float) -> Any:
    """A die's material: plain, pearly, marbled, wooden, clear or metallic, with sunk or painted pips."""
    material = bpy.data.materials.new("die")
    nodes, links, shader = _links(material)
    body = _colour(rng) if rng.random() < 0.65 else (0.85, 0.84, 0.8, 1.0)
    bright = max(body[:3])
    pip = _colour(rng, (0.5, 0.95)) if bright < 0.35 else _colour(rng, (0.0, 0.12))
    if bright >= 0.35 and rng.random() < 0.25:
        pip = (0.95, 0.95, 0.95, 1.0)
    shader.inputs["Roughness"].default_value = rng.uniform(0.05, 0.6)
    shader.inputs["Coat Weight"].default_value = rng.choice((0.0, 0.0, 1.0))
    kind = rng.random()
    if kind < 0.18:
        shader.inputs["Transmission Weight"].default_value = rng.uniform(0.3, 0.95)
    elif kind < 0.26:
        shader.inputs["Metallic"].default_value = rng.uniform(0.5, 1.0)
    elif kind < 0.6:
        shader.inputs["Subsurface Weight"].default_value = rng.uniform(0.0, 1.0)
        shader.inputs["Subsurface Scale"].default_value = edge_mm * rng.uniform(0.02, 0.3)
    sheet = _pips(rng)
    image = bpy.data.images.new("pips", sheet.shape[1], sheet.shape[0], is_data=True)
    image.pixels.foreach_set(np.repeat(sheet[..., None], 4, axis=2).ravel())
    texture, mix, bump = (nodes.new(f"ShaderNode{name}") for name in ("TexImage", "MixRGB", "Bump"))
    texture.image = image
    mix.inputs[1].default_value, mix.inputs[2].default_value = body, pip
    if rng.random() < 0.4:
        other = _colour(rng) if rng.random() < 0.5 else tuple(c * rng.uniform(0.4, 1.2) for c in body)
        veins = _veined(nodes, links, rng, rng.uniform(0.5, 4) / edge_mm, [body, other])
        links.new(veins, mix.inputs[1])
    links.new(texture.outputs["Color"], mix.inputs[0])
    links.new(mix.outputs[0], shader.inputs["Base Color"])
    bump.inputs["Strength"].default_value = rng.choice((0.0, 0.5, 1.0))
    bump.inputs["Distance"].default_value = -0.1 * edge_mm
    links.new(texture.outputs["Color"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def _die_mesh(edge_mm: float) -> Any:
    """A cube with a cell of the picture of pips on each side."""
    corners: list[Any] = []
    uv: list[float] = []
    for face in range(1, 7):
        axis, sign = AXIS_OF_FACE[face]
        square = face_corners(face, edge_mm / 2)
        if np.cross(square[1] - square[0], square[2] - square[1])[axis] * sign < 0:
            square = square[::-1]
        corners += [tuple(corner) for corner in square]
        column, row = (face - 1) % CELLS[0], (face - 1) // CELLS[0]
        for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)):
            uv += [(column + x) / CELLS[0], (row + y) / CELLS[1]]
    mesh = bpy.data.meshes.new("die")
    index = sorted(set(corners))
    faces = [[index.index(corner) for corner in corners[k : k + 4]] for k in range(0, 24, 4)]
    mesh.from_pydata(index, [], faces)
    mesh.uv_layers.new().data.foreach_set("uv", uv)
    return mesh


def _added(mesh: Any, material: Any, matrix: NDArray[np.float64], bevel: float = 0.0) -> Any:
    """An object of a mesh in the scene. matrix: (4, 4), where it is; bevel: radius of its edges, mm."""
    thing = bpy.data.objects.new(mesh.name, mesh)
    thing.data.materials.append(material)
    bpy.context.scene.collection.objects.link(thing)
    thing.matrix_world = Matrix(matrix)
    if bevel:
        rounded = thing.modifiers.new("rounded", "BEVEL")
        rounded.width, rounded.segments = bevel, 4
        thing.data.polygons.foreach_set("use_smooth", [True] * len(thing.data.polygons))
        rounded.harden_normals = True
    return thing


def _matrix(position: Any, rotation: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    matrix = np.eye(4)
    matrix[:3, 3] = position
    if rotation is not None:
        matrix[:3, :3] = rotation
    return matrix


def _made(operator: Callable[..., Any], **options: Any) -> Any:
    """The mesh that an operator of Blender makes, with its object taken away again."""
    operator(**options)
    made = bpy.context.object
    mesh = made.data
    bpy.data.objects.remove(made)
    return mesh


def _disc(radius: float, height: float) -> Any:
    return _made(bpy.ops.mesh.primitive_cylinder_add, radius=radius, depth=height, vertices=48)


def _box(size: tuple[float, float, float]) -> Any:
    mesh = _made(bpy.ops.mesh.primitive_cube_add, size=1.0)
    mesh.transform(Matrix(np.diag([*size, 1.0])))
    return mesh


def _support(table: Table, at: Place, towards: float, height: float, away: float) -> None:
    """Put something under the raised side of a leaning die: a counter, a book's corner, a ledge.

    Nothing keeps it from reaching into another die.
    """
    rng, edge = table.rng, table.edge_mm
    kind = rng.choice(("counter", "book", "ledge", "ledge", "none"))
    material = _plain(rng, "support")
    along = np.array([math.cos(towards), math.sin(towards)])
    if kind == "counter":
        radius = rng.uniform(0.35, 0.9) * edge
        x, y = np.array(at) + along * (away + radius)
        _added(_disc(radius, height), material, _matrix((x, y, height / 2)), 0.03 * edge)
    elif kind != "none":
        deep, wide = (rng.uniform(0.4, 2.5) * edge, rng.uniform(0.8, 4.0) * edge)
        if kind == "ledge":
            deep, wide = rng.uniform(0.15, 0.5) * edge, rng.uniform(2.5, 6) * edge
        x, y = np.array(at) + along * (away + deep / 2)
        turn = about_z(towards)
        _added(_box((deep, wide, height)), material, _matrix((x, y, height / 2), turn), 0.03 * edge)


def _leaning(table: Table, at: Place, style: DieStyle) -> SceneDie:
    """A die that stands on an edge, or on a corner, its other side on something."""
    rng, edge = table.rng, table.edge_mm
    towards, lean = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(*LEAN_DEG))
    askew = rng.choice((0.0, 0.0, rng.uniform(-0.7, 0.7)))
    flat = face_up(rng.randint(1, 6), towards + askew)
    rotation = about((math.sin(towards), -math.cos(towards), 0.0), lean) @ flat
    die = SceneDie(style, edge, (*at, resting_height(rotation, edge)), rotation)
    lowest = die.corners_mm[die.corners_mm[:, 2].argmin()]
    along = np.array([math.cos(towards), math.sin(towards)])
    away = edge * rng.uniform(0.45, 0.9)  # from the edge it stands on to where it is held
    pivot = np.array(at) + along * float((lowest[:2] - at) @ along)
    _support(table, (float(pivot[0]), float(pivot[1])), towards, away * math.tan(lean), away)
    return die


def _lay_dice(table: Table) -> None:
    """Dice all over the picture, some leaning, some on others."""
    rng, edge = table.rng, table.edge_mm
    style = DieStyle()
    for _ in range(rng.randint(*DICE)):
        chance = rng.random()
        at = table.place(edge * (ROOM + 0.5 * (chance < LEANING)))
        if at is None:
            continue
        if chance < LEANING:
            table.dice.append(_leaning(table, at, style))
            continue
        die = SceneDie(style, edge, (*at, edge / 2), face_up(rng.randint(1, 6), rng.uniform(0, 2 * math.pi)))
        table.dice.append(die)
        if rng.random() < STACKED:
            spot = tuple(v + rng.uniform(-0.4, 0.4) * edge for v in at)
            turned = face_up(rng.randint(1, 6), rng.uniform(0, 2 * math.pi))
            table.dice.append(SceneDie(style, edge, (*spot, 1.5 * edge), turned, stacked=True))


def _lay_thing(table: Table) -> None:
    """Something that is no die: a counter, a button, a plug, a socket, a ball, a domino."""
    rng, edge = table.rng, table.edge_mm
    size = edge * rng.uniform(0.6, 1.8)
    at = table.place(0.6 * size)
    if at is None:
        return
    kind = rng.choice(("counter", "button", "plug", "socket", "ball", "domino"))
    material, turn = _plain(rng, "thing"), about_z(rng.uniform(0, 2 * math.pi))
    height = size * rng.uniform(0.08, 0.9)
    table.things.append((*at, size))
    if kind == "ball":
        ball = _made(bpy.ops.mesh.primitive_uv_sphere_add, radius=size / 2)
        ball.polygons.foreach_set("use_smooth", [True] * len(ball.polygons))
        _added(ball, material, _matrix((*at, size / 2)))
        return
    if kind == "domino":
        body = (size * 0.8, size * 1.6, size * rng.uniform(0.2, 0.4))
        _added(_box(body), material, _matrix((*at, body[2] / 2), turn), 0.05 * size)
        height, spots = body[2], [(x, y + s) for s in (-0.4, 0.4) for x, y in _dots(rng.randint(0, 6), 0.2)]
    else:
        _added(_disc(size / 2, height), material, _matrix((*at, height / 2)), rng.uniform(0.01, 0.1) * size)
        spots = _dots(
            {"counter": 0, "plug": 2, "socket": rng.choice((2, 3)), "button": rng.choice((2, 4))}[kind], 0.17
        )
    mark = _plain(rng, "mark")
    tall = size * (rng.uniform(0.2, 0.8) if kind == "plug" else 0.01)
    for x, y in spots:
        spot = turn @ np.array([x * size, y * size, 0.0]) + np.array([*at, height + tall / 2])
        _added(_disc(size * 0.06, tall), mark, _matrix(spot))


def _dots(count: int, apart: float) -> list[Place]:
    """Where so many dots stand, as on dice. apart: from the middle to a column."""
    dots = [(0.0, 0.0)] * (count % 2)
    dots += [(-1.0, -1.0), (1.0, 1.0)] * (count > 1) + [(-1.0, 1.0), (1.0, -1.0)] * (count > 3)
    dots += [(-1.0, 0.0), (1.0, 0.0)] * (count == 6)
    return [(x * apart, y * apart) for x, y in dots]


def _light(rng: random.Random, view: CameraView) -> None:
    """One to three lamps, hard or soft, and the light of the room."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    room = world.node_tree.nodes["Background"]
    room.inputs[0].default_value = _colour(rng, (0.6, 1.0)) if rng.random() < 0.3 else (1, 1, 1, 1)
    room.inputs[1].default_value = 10 ** rng.uniform(-1.3, 0.1)
    for _ in range(rng.choice((1, 1, 2, 3))):
        lamp = bpy.data.lights.new("lamp", "SUN")
        lamp.energy, lamp.angle = rng.uniform(0.5, 5.0), math.radians(10 ** rng.uniform(0.0, 1.7))
        lamp.color = tuple(rng.uniform(0.75, 1.0) for _ in range(3))
        turned = about_z(rng.uniform(0, 2 * math.pi)) @ about(
            (1.0, 0.0, 0.0), math.radians(rng.uniform(0, 68))
        )
        thing = bpy.data.objects.new("lamp", lamp)
        thing.matrix_world = Matrix(_matrix((0, 0, view.height_mm), turned))
        bpy.context.scene.collection.objects.link(thing)


def _camera(view: CameraView) -> None:
    """Blender's camera where the view is; it looks along its own -z, with y up."""
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = view.focal_px * 36.0 / view.size_wh[0]
    lens.clip_start, lens.clip_end = 1.0, 1e5
    thing = bpy.data.objects.new("camera", lens)
    turned = view.rotation.T @ np.diag([1.0, -1.0, -1.0])
    thing.matrix_world = Matrix(_matrix(view.eye, turned))
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def _seen(view: CameraView, die: SceneDie) -> float:
    """The share of a die's top that is in the picture with nothing before it."""
    axis, sign = AXIS_OF_FACE[die.face]
    grid = np.zeros((len(CHECKED) ** 2, 3))
    others = [k for k in range(3) if k != axis]
    grid[:, others] = np.stack(np.meshgrid(CHECKED, CHECKED), -1).reshape(-1, 2)
    grid[:, axis] = sign * 0.5
    points = grid * die.edge_mm @ die.rotation.T + np.array(die.position_mm)
    pixels, free = view.project(points), 0
    graph = bpy.context.evaluated_depsgraph_get()
    for point, (x, y) in zip(points, pixels, strict=True):
        way = point - view.eye
        far = float(np.linalg.norm(way))
        if not (0 <= x < view.size_wh[0] and 0 <= y < view.size_wh[1]):
            continue
        hit, where, *_ = bpy.context.scene.ray_cast(graph, view.eye.tolist(), (way / far).tolist())
        free += not hit or float(np.linalg.norm(np.array(where) - view.eye)) > far - 0.06 * die.edge_mm
    return free / len(points)


def _render(rng: random.Random) -> NDArray[np.uint8]:
    """(h, w, 3) uint8 BGR, the scene as the camera sees it."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", rng.randint(*SAMPLES)
    scene.cycles.use_denoising, scene.cycles.seed = True, rng.randint(0, 2**30)
    scene.cycles.denoising_quality = rng.choice(("FAST", "BALANCED"))
    scene.cycles.max_bounces = 5
    scene.render.resolution_x, scene.render.resolution_y = SIZE_WH
    scene.view_settings.view_transform = rng.choice(("Standard", "Standard", "AgX"))
    scene.view_settings.exposure = rng.uniform(-1.2, 0.6)
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = f"{folder}/seen.png"
        bpy.ops.render.render(write_still=True)
        return np.asarray(cv2.imread(scene.render.filepath), np.uint8)


def trace(seed: int) -> Scene:
    """One scene with all truth about it."""
    rng = random.Random(seed)  # noqa: S311 - pictures, no secrets
    bpy.ops.wm.read_factory_settings(use_empty=True)
    edge_mm, edge_px = rng.uniform(12, 20), math.exp(rng.uniform(*map(math.log, EDGE_PX)))
    tilt = rng.uniform(*TILT_DEG)
    focal = rng.uniform(0.7, 2.2) * SIZE_WH[0]
    height = focal * edge_mm / edge_px * math.cos(math.radians(tilt))
    view = CameraView(SIZE_WH, focal, height, tilt, rng.choice((0.0, rng.uniform(-180, 180))))
    table = Table(rng, view, edge_mm)
    _added(_box((400 * edge_mm, 400 * edge_mm, 1.0)), _plain(rng, "floor"), _matrix((0, 0, -0.5)))
    _lay_dice(table)
    for _ in range(round(THING * len(table.dice))):
        _lay_thing(table)
    bevel, mesh = edge_mm * rng.uniform(0.03, 0.16), _die_mesh(edge_mm)
    shared = _die_material(rng, edge_mm) if rng.random() < 0.4 else None
    for die in table.dice:
        _added(
            mesh.copy(), shared or _die_material(rng, edge_mm), _matrix(die.position_mm, die.rotation), bevel
        )
    _light(rng, view)
    _camera(view)
    bpy.context.view_layer.update()
    dice = tuple(die_truth(view, die, _seen(view, die)) for die in table.dice)
    things = []
    for x, y, size in table.things:
        spot = (x, y, 0.3 * size)
        (px, py), long = view.project(spot)[0], size * view.px_per_mm(spot)
        things.append((float(px), float(py), long))
    return Scene(_render(rng), dice, tuple(things))


def main() -> None:
    """Trace the shards that are missing."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the folder for the shards")
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--scenes", type=int, default=20, help="of a shard")
    args = parser.parse_args()
    for shard in range(args.first, args.first + args.shards):
        path = args.work / f"traced_{shard:03d}.npz"
        if path.exists():
            continue
        began = time.monotonic()
        shelf.save([trace(1000 * shard + k) for k in range(args.scenes)], path)
        log.info("shard %d: %.0f s a scene", shard, (time.monotonic() - began) / args.scenes)


if __name__ == "__main__":
    main()
