"""`python -m lab.bench.stages`: draws docs/img/reader-*.jpg, what the reader sees at each step.

The scene is the simulated tray's, always the same; no photograph is used.
"""

from pathlib import Path

import numpy as np

from lab.bench.drawn_stages import draw_stages
from simulator import cases
from vision.picture import encode_jpeg

FOLDER = Path(__file__).parents[2] / "docs" / "img"
CASE, SEED = "mixed set", 1001


def main() -> None:
    """Write the pictures."""
    example = cases.example(CASE, seed=SEED)
    image = np.ascontiguousarray(example.image)
    for name, drawn in draw_stages(image, example.expected_dice).items():
        (FOLDER / f"reader-{name}.jpg").write_bytes(encode_jpeg(drawn, width_max=960, quality=82))


if __name__ == "__main__":
    main()
