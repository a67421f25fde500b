"""Whether a home that plays along has the game as it stands where the game is kept."""

from station.features.two_homes.line.ends import HostLine
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.table.table import Table
from tests.asking import shown


def follows(host: HostLine, mirror: MirrorLog, kitchen: Table, berlin: Table) -> bool:
    """Whether the guest has all of this game; what the broker kept of an earlier one looks like it."""
    theirs = (host.session, OtherHome(kitchen).numbered()[0])
    followed = (mirror.session, mirror.last_event()) == theirs
    return followed and bool(shown(kitchen)["players"] == shown(berlin)["players"])
