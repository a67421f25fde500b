"""What tests of the store share."""

import sqlite3

from station.store import chain


def chained(db: sqlite3.Connection) -> None:
    """Give a database that was changed the hashes and seals it would have, had a station written it so."""
    chain.chain(db)
    chain.put_seals(db)
    db.commit()
