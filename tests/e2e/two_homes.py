"""Two stations that play one game over a broker of their own."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.helpers import StationProcess
from tests.integrations.mosquitto import Mosquitto


@contextmanager
def two_homes(folder: Path, *, of_berlin: str = "") -> Iterator[tuple[StationProcess, StationProcess]]:
    """The kitchen keeps the game, Berlin plays along. of_berlin: more lines of its settings [homes]."""
    with Mosquitto(folder / "broker") as broker, ExitStack() as running:

        def station(name: str, homes: str) -> StationProcess:
            (folder / name).mkdir()
            line = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nstation = "{name}"'
            made = StationProcess(folder / name, settings=f"{line}\n[homes]\n{homes}\n")
            running.callback(made.stop)
            return made

        yield station("kitchen", 'guests = ["berlin"]'), station("berlin", f'host = "kitchen"\n{of_berlin}')
