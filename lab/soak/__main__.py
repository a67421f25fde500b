"""`make soak`: the model of the physical table (tests/table/test_physical_table.py) for 200,000 steps.

ARGS="--steps 20000 --seed 7" for others. Prints the seed, the steps, how often each rule ran and the seconds,
or the law that was broken and the step. Exit code: 0 when every law held.

ARGS=planted plants the mistakes of `lab/soak/planted.py` one by one in a copy of the project, and tells which
are caught, by which law, after how many steps.

ARGS=station plays 40 games in a real station and tells whether its memory, threads and open files grow.
"""

import argparse
import random
import sys
import time

from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

from tests.table.test_physical_table import PhysicalTable, evenings

STEPS = 200_000


def main() -> int:
    """Run the chosen trial."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=("model", "planted", "station"), default="model")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(2**31) if options.seed is None else options.seed
    if options.what == "station":
        from lab.soak.station import run  # noqa: PLC0415 - a process of its own

        return run()
    if options.what == "planted":
        from lab.soak.planted import plant_all  # noqa: PLC0415 - it runs this module in a process of its own

        return plant_all(seed=seed)
    return soak(options.steps, seed)


def soak(steps: int, seed: int) -> int:
    """Drive the model until it has taken that many steps, one run of 10,000 after the other."""
    print(f"seed {seed}", flush=True)
    counted, began_s = PhysicalTable.counted, time.monotonic()
    part = 0
    while counted.steps < steps:
        run = evenings(min(10_000, steps - counted.steps + 100), shrink=False)
        try:
            run_state_machine_as_test(seeded(seed + part)(PhysicalTable), settings=run)
        except AssertionError as broken:
            print(f"step {PhysicalTable.broken_at}: {broken}\nrun again with ARGS='--seed {seed + part}'")
            return 1
        part += 1
    for name, count in sorted(counted.rules.items(), key=lambda rule: -rule[1]):
        print(f"{count:8,} {name}")
    print(f"{counted.steps:,} steps in {time.monotonic() - began_s:.0f} s, seed {seed}: every law held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
