"""Works out the tables that ship; about half a minute. Needed after a change of rules or of the format."""

from pathlib import Path

import click

from station.advice.tables import SUFFIX
from station.rules import built_in, built_in_ids
from station.strategy.model.model import Model
from station.strategy.values.pack import fingerprint, pack
from station.strategy.values.solver import solve


def build(folder: Path) -> None:
    """Write a table for every built-in game, and remove those of games that are gone."""
    games: dict[str, Path] = {}
    for rules_id in built_in_ids():
        model = Model(built_in(rules_id))
        path = games.setdefault(model.fingerprint, folder / f"{rules_id}{SUFFIX}")
        if path.exists() and fingerprint(path.read_bytes()) == model.fingerprint:
            continue
        data = pack(solve(model), exact=False)
        path.write_bytes(data)
        click.echo(f"{rules_id:<18} {len(data) / 1e6:5.2f} MB")
    for path in {*folder.glob(f"*{SUFFIX}")} - {*games.values()}:
        path.unlink()


if __name__ == "__main__":
    build(Path(__file__).parent)
