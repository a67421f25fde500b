"""What rescue offers where the database is damaged: copies, what can be salvaged, or to begin anew."""

import sqlite3
from contextlib import closing
from datetime import timedelta

from station.data_folder import data_files
from station.rescue import Rescue
from station.store import FILE_NAME, Places
from station.table.table import Table
from tests.store.helpers import Store, places_of, play
from tests.store.stores import NOON


def test_rescue_offers_ways_out_though_the_second_place_fails(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 1000)
    with closing(Store(tmp_path, rescue=True)) as store:
        rescue = Rescue(Table(store), store, places_of(tmp_path, 5, tmp_path / ("x" * 300)))
        assert [offer.choice for offer in rescue.ways().offers] == ["anew"]


def test_rescue_offers_the_own_copies_before_those_of_another_station(data, tmp_path):
    place = tmp_path / "network"
    place.mkdir()
    places = places_of(data, 9, place)
    for each in places.all:
        places.copy_to(each, NOON)
    other = places_of(tmp_path / "other", 9, place)
    for number in range(5):
        with closing(Store(other.data)) as store:
            for _ in range(2):
                play(Table(store), names=("Xenia", "Yann"))
        other.copy_to(place, NOON + timedelta(days=1, minutes=number))
    (data / FILE_NAME).write_bytes(b"no database" * 1000)
    with closing(Store(data, rescue=True)) as store:
        first = Rescue(Table(store), store, places).ways().offers[0]
    assert first.outcome.values["players"] == ("Ana", "Ben")


def test_what_is_salvaged_while_the_copies_are_listed_is_still_to_come(data):
    with closing(sqlite3.connect(data / FILE_NAME)) as db:
        db.execute("UPDATE events SET body = replace(body, '6', '5') WHERE id = 2")
        db.commit()

    class SlowPlaces(Places):
        @property
        def all(self):
            if not rescue._looked.is_set():
                rescue._look()
            return super().all

    with closing(Store(data, rescue=True)) as store:
        rescue = Rescue(Table(store), store, SlowPlaces(data, data_files(), 5))
        before = rescue.ways()
        assert before.looking
        assert "salvage" not in [offer.choice for offer in before.offers]
        after = rescue.ways()
        assert not after.looking
        assert after.offers[0].choice == "salvage"
