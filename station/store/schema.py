"""The tables of the database, by version: each entry of MIGRATIONS leads from one version to the next."""

APPLICATION_ID = 0x59414348
"""Marks a SQLite file as one of a Yacht Station ("YACH")."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # Every event ever, undone ones and undos included. game: the one it belongs to.
        """CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX events_by_game ON events (game, id)",
        # Those that stand: what undo took back and what is too old for undo has left this list.
        """CREATE TABLE standing (
            place INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id)
        ) STRICT""",
        """CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL,
            ended_early INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE results (
            game INTEGER NOT NULL REFERENCES games (game) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            name TEXT NOT NULL,
            boxes TEXT NOT NULL,
            upper INTEGER NOT NULL,
            bonus INTEGER NOT NULL,
            extra INTEGER NOT NULL,
            total INTEGER NOT NULL,
            won INTEGER NOT NULL,
            PRIMARY KEY (game, seat)
        ) STRICT""",
        "CREATE INDEX results_by_name ON results (name)",
        "CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT",
        "INSERT INTO numbers VALUES ('next_version', 1)",
    ),
    (
        # What ended a game: complete, big_general or early. A game without a point was won by nobody.
        "ALTER TABLE games ADD COLUMN ended_by TEXT NOT NULL DEFAULT 'complete'",
        "UPDATE games SET ended_by = 'early' WHERE ended_early",
        """UPDATE results SET won = 0
            WHERE game IN (SELECT game FROM results GROUP BY game HAVING max(total) = 0)""",
    ),
    (
        # Games that were deleted: hidden, and forgotten for good a month later (station.store.aside).
        """CREATE TABLE aside (
            game INTEGER PRIMARY KEY REFERENCES games (game) ON DELETE CASCADE,
            at TEXT NOT NULL
        ) STRICT""",
    ),
)
