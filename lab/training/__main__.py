"""`python -m lab.training`: from nothing to the files of vision/models/. See README.md in this folder."""

import argparse
import logging
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import cv2
import torch

from lab.training import (
    dense_data,
    hand_cutouts,
    hand_data,
    leaning_data,
    measure_finder,
    mistaken,
    pools,
    shelf,
)
from lab.training.align import align_all
from lab.training.blanks import blank_pool
from lab.training.export import write_faces, write_for_pictures
from lab.training.measure import HEAD, figures, reliability
from lab.training.mistaken import added
from lab.training.model import FaceNet
from lab.training.train_faces import FACES, straight, temperature, train
from lab.training.train_finder import FINDER, ONWARD, train_finder
from lab.training.train_hands import HANDS, train_hands
from vision.inference.face_looks import classify_faces
from vision.inference.finder import propose

log = logging.getLogger("training")
SHARD_SCENES = 500
SCOUT_STEPS = 3000
BLANKS = 2500
GOES = (
    FACES,
    replace(FACES, seed=2, rate=1e-3),
    replace(FACES, steps=6000, seed=3, rate=1.2e-3, shares=(0.5, 0.2, 0.25, 0.05)),
    replace(FACES, steps=14000, seed=5, rate=2e-3, shares=(0.45, 0.23, 0.27, 0.05), faces=0.62),
    replace(FACES, steps=11000, seed=7, rate=1.6e-3, shares=(0.45, 0.23, 0.27, 0.05)),
)
"""The face network learns in goes, each quick at first; after the first it aligns the boxes itself."""
TRAYS = 6
"""How many trays of each case of the simulated camera teach."""
FINDER_TRAYS = 3
"""And the finder, which sees whole pictures."""


def _drawn(work: Path, seed: int, shards: int) -> pools.Pool:
    paths = shelf.shards(work, seed, shards, SHARD_SCENES)
    cut = (pools.cut_pool(pools.drawn(shelf.load(path), seed)) for path in paths)
    return pools.join([*cut, pools.cut_pool(added(mistaken.trays(TRAYS)))])


def _network(path: Path) -> FaceNet:
    network = FaceNet()
    network.load_state_dict(torch.load(path))
    return network


def _scout(args: argparse.Namespace, drawn: pools.Pool, renders: pools.Pool) -> FaceNet:
    """The network that never saw a photograph: it finds the faces in the boxes and sets the temperature."""
    path = args.work / "scout.pt"
    if not path.exists():
        network = train(
            pools.join([drawn, renders]), replace(FACES, steps=SCOUT_STEPS, seed=args.seed, rate=3e-3)
        )
        torch.save(network.state_dict(), path)
    return _network(path)


def faces(args: argparse.Namespace) -> None:
    """Draw, cut, train, export."""
    drawn = _drawn(args.work, args.seed, args.shards)
    renders = pools.cut_pool(added(pools.renders(args.shared / "renders", args.seed)))
    scout = _scout(args, drawn, renders)
    crops = pools.cut_pool(pools.crops(args.shared / "photos"))
    blanks = blank_pool(args.seed, BLANKS)

    def taught(guide: FaceNet) -> tuple[pools.Pool, pools.Pool]:
        pictures = pools.photographs(args.shared / "photos", args.seed, for_training=True)
        photos = pools.cut_pool(added(align_all(guide, pictures)))
        return pools.join([drawn, blanks, renders, photos, crops]), pools.join([photos, crops])

    pool, unseen = taught(scout)
    heat = temperature(scout, unseen)
    log.info("temperature %.3f", heat)
    network = train(pool, GOES[0], start=scout, keep=args.work / "faces.pt")
    pool, _ = taught(network)
    for plan in GOES[1:]:
        network = train(pool, plan, start=network, keep=args.work / "faces.pt")
    sources = sorted({"/".join(str(g).split("/")[:2]) for g in pool.groups})
    plans = [asdict(plan) for plan in GOES]
    facts = {"plans": plans, "shards": args.shards, "patches": len(pool.labels), "taught_by": sources}
    write_faces(network, heat, args.models, facts)


def finder(args: argparse.Namespace) -> None:
    """Draw, train, export the finder."""
    photos, rendered = args.shared / "photos", args.shared / "renders"
    pictures = [
        picture
        for path in shelf.shards(args.work, args.seed, args.shards, SHARD_SCENES)
        for picture in dense_data.of_scenes(shelf.load(path))
    ]
    scenes = [
        each for each, held in leaning_data.scenes(args.work, args.shards, leaning_data.BESIDE) if not held
    ]
    pictures += dense_data.of_scenes(scenes, "beside")
    pictures += [dense_data.shrunk(p, 700) for p in dense_data.of_views(scenes)]
    pictures += [dense_data.shrunk(p, 1000) for p in dense_data.of_trays(FINDER_TRAYS)]
    pictures += [dense_data.shrunk(p, 1000) for p in dense_data.of_renders(rendered)]
    pictures += [dense_data.shrunk(p, 1200) for p in dense_data.of_photographs(photos, for_training=True)]
    plan, onward = (ONWARD, args.models / "finder.onnx") if args.onward else (FINDER, None)
    plan = replace(plan, seed=args.seed, steps=args.steps or plan.steps)
    network = train_finder(pictures, plan, onward=onward, keep=args.work / "finder.pt")
    taught = sorted({"/".join(p.group.split("/")[:2]) for p in pictures})
    write_for_pictures(
        network,
        args.models / "finder.onnx",
        {"plan": asdict(plan), "shards": args.shards, "taught_by": taught},
    )


def hands(args: argparse.Namespace) -> None:
    """Draw, train, export the network that sees hands."""
    backgrounds = [
        *hand_data.of_trays(args.seed, hand_data.TRAYS),
        *hand_data.of_renders(args.shared / "renders"),
        *hand_data.of_photographs(args.shared / "photos"),
    ]
    over = hand_data.overlays(args.seed, list(hand_cutouts.of_renders(args.shared / "renders")))
    plan = replace(HANDS, seed=args.seed, steps=args.steps or HANDS.steps)
    network = train_hands(backgrounds, over, plan, keep=args.work / "hands.pt")
    taught = sorted({one.group for one in backgrounds})
    write_for_pictures(
        network,
        args.models / "hands.onnx",
        {"plan": asdict(plan), "backgrounds": len(backgrounds), "taught_by": taught},
    )


def evaluate(args: argparse.Namespace) -> None:
    """Print the table for the exported model on the photographs it may never learn from."""
    scout = _network(args.work / "scout.pt")
    pictures = list(pools.photographs(args.shared / "photos", args.seed, for_training=False))
    for title, found in (("cut at the box", pictures), ("cut at the face", align_all(scout, pictures))):
        pool = pools.cut_pool(found)
        odds, _ = classify_faces(straight(pool), models=args.models)
        log.info("%s\n%s", title, HEAD)
        for row in figures(pool, odds):
            log.info("%s", row.line())
        for low, count, right in reliability(pool.labels, odds):
            log.info("p >= %.3f: %5d patches, %.2f %% right", low, count, 100 * right)
    log.info("finder\n%s", measure_finder.HEAD)
    unseen = dense_data.of_photographs(args.shared / "photos", for_training=False)
    for found_row in measure_finder.found_table(unseen, partial(propose, models=args.models)):
        log.info("%s", found_row.line())


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m lab.training", description=__doc__)
    parser.add_argument("what", choices=("faces", "finder", "hands", "evaluate"))
    parser.add_argument(
        "--shared", type=Path, default=Path("../shared"), help="folder of photos/ and renders/"
    )
    parser.add_argument("--work", type=Path, required=True, help="folder outside the project for pools")
    parser.add_argument("--models", type=Path, default=Path("vision/models"), help="where the model goes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=6, help=f"drawn pools of {SHARD_SCENES} scenes each")
    parser.add_argument("--steps", type=int, help="fewer or more batches for the finder than planned")
    parser.add_argument("--onward", action="store_true", help="teach the finder on that is there")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    {"faces": faces, "finder": finder, "hands": hands, "evaluate": evaluate}[args.what](args)


if __name__ == "__main__":
    main()
