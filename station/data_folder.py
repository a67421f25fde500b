"""What lies in a station's data folder besides the games, put together from all who keep something there."""

from pathlib import Path

from station.camera import throw_pictures
from station.camera.picture_choice import PICTURE_NAME
from station.screens import room_file
from station.store.data_files import DataFiles, KeptFile
from station.store.house_rules import RULES_FOLDER, drop_others

THROWS_KEY = "homes.key"
"""Of which the host of a game in two homes makes its secrets. It belongs to one log: no copy has it, and it
goes where another log comes, or throws of the same number repeated them."""

KEPT = (
    KeptFile(room_file.ROOM_NAME, merge=room_file.with_access_here),
    KeptFile(PICTURE_NAME),
    *(KeptFile(f"{place}*.{ending}") for place in ("profile", "profiles/") for ending in ("json", "png")),
    KeptFile(f"{RULES_FOLDER}/*.toml", placed=drop_others),
)


def data_files(settings: Path | None = None) -> DataFiles:
    """All of them. settings: the settings file, which copies hold too."""
    return DataFiles(KEPT, (throw_pictures.FOLDER_NAME, THROWS_KEY), settings)
