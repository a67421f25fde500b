PRAGMA application_id = 1497449288;
PRAGMA user_version = 5;
BEGIN TRANSACTION;
CREATE TABLE aside (
            game INTEGER PRIMARY KEY REFERENCES games (game) ON DELETE CASCADE,
            at TEXT NOT NULL
        ) STRICT;
CREATE TABLE delivered (name TEXT PRIMARY KEY, event INTEGER NOT NULL) STRICT;
CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        , hash BLOB NOT NULL DEFAULT x'') STRICT;
INSERT INTO "events" VALUES(1,1,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":1,"previous":0,"rules":"yacht-1938","players":["Ana","Ben","Cleo"],"house":"","left":[],"rolling":false,"first":0,"starter":"","stakes":[],"simultaneous":false,"computers":[],"teams":[],"homes":[],"handicaps":[],"without_tray":[]}',X'384DDE76E4139BBC620DD5FFC6A86312');
INSERT INTO "events" VALUES(2,1,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,6,null],[2,6,null],[3,6,null],[4,6,null],[5,6,null]],"typed":true}',X'4171CE8C83DDB74267E14A0148C80ED3');
INSERT INTO "events" VALUES(3,1,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"yacht","slots":[],"left":[],"rolling":false}',X'2802219BD7CD1BF42D8F7798907D1084');
INSERT INTO "events" VALUES(4,1,'2026-01-06T12:00:00+00:00','player_removed','{"kind":"player_removed","seat":2,"left":[],"rolling":false}',X'D6F875320F32264AB976A141D784431C');
INSERT INTO "events" VALUES(5,1,'2026-01-06T12:00:00+00:00','game_ended','{"kind":"game_ended","left":[],"rolling":false}',X'6FCE20E2B88C2D48A1B782A90D2879E4');
INSERT INTO "events" VALUES(6,2,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":2,"previous":1,"rules":"yacht-1938","players":["Ana","Ben"],"house":"","left":[],"rolling":false,"first":0,"starter":"","stakes":[],"simultaneous":false,"computers":[],"teams":[],"homes":[],"handicaps":[],"without_tray":[]}',X'D0A5776BD44A874BD8A3A5E4B3D5B207');
INSERT INTO "events" VALUES(7,2,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,1,null],[2,1,null],[3,2,null],[4,3,null],[5,4,null]],"typed":true}',X'BE1A8F41A31CC38C78B2435DC53BD6DA');
CREATE TABLE files (path TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL,
            ended_early INTEGER NOT NULL
        , ended_by TEXT NOT NULL DEFAULT 'complete') STRICT;
INSERT INTO "games" VALUES(1,'yacht-1938','2026-01-06T12:00:00+00:00','2026-01-06T12:00:00+00:00',1,'early');
CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO "numbers" VALUES('next_version',100001);
INSERT INTO "numbers" VALUES('next_event',1);
CREATE TABLE results (
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
        ) STRICT;
INSERT INTO "results" VALUES(1,0,'Ana','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": 50}',0,0,0,50,1);
INSERT INTO "results" VALUES(1,1,'Ben','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": null}',0,0,0,0,0);
INSERT INTO "results" VALUES(1,2,'Cleo','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": null}',0,0,0,0,0);
CREATE TABLE seals (name TEXT PRIMARY KEY, hash BLOB NOT NULL) STRICT;
INSERT INTO "seals" VALUES('aside',X'7EBB3C7C2A87B1A2F8A7ED729ECB040D');
INSERT INTO "seals" VALUES('files',X'00000000000000000000000000000000');
INSERT INTO "seals" VALUES('delivered',X'7EBB3C7C2A87B1A2F8A7ED729ECB040D');
INSERT INTO "seals" VALUES('numbers',X'069DDB8111F6D26029272E3CACD5A27C');
INSERT INTO "seals" VALUES('games',X'3B5419E2B309E1E7D9165D449F2C0195');
COMMIT;
