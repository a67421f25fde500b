"""The files of a station's data folder besides the games, collected from their owners."""

from pathlib import Path

from station.camera import throw_pictures
from station.camera.picture_choice import PICTURE_NAME
from station.game.feature import features
from station.screens import room_file
from station.store.data_files import DataFiles, KeptFile
from station.store.house_rules import RULES_FOLDER, drop_others

KEPT = (
    KeptFile(room_file.ROOM_NAME, merge=room_file.with_access_here),
    KeptFile(PICTURE_NAME),
    *(KeptFile(f"{place}*.{ending}") for place in ("profile", "profiles/") for ending in ("json", "png")),
    KeptFile(f"{RULES_FOLDER}/*.toml", placed=drop_others),
)


def data_files(settings: Path | None = None) -> DataFiles:
    """All of them. settings: the settings file, which copies hold too."""
    of_features = (name for feature in features() for name in feature.files)
    return DataFiles(KEPT, (throw_pictures.FOLDER_NAME, *of_features), settings)
