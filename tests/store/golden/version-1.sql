PRAGMA application_id = 1497449288;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
INSERT INTO "events" VALUES(1,0,'2026-01-06T12:00:00+00:00','player_added','{"kind":"player_added","name":"Ana"}');
INSERT INTO "events" VALUES(2,0,'2026-01-06T12:00:00+00:00','player_added','{"kind":"player_added","name":"Ben"}');
INSERT INTO "events" VALUES(3,1,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":1,"previous":0,"rules":"yacht-1938","players":["Ana","Ben"],"house":""}');
INSERT INTO "events" VALUES(4,1,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,5,[5,100.0,200.0,60.0,"white",null]],[2,5,[5,200.0,200.0,60.0,"white",null]],[3,5,[5,300.0,200.0,60.0,"white",null]],[4,2,[2,400.0,200.0,60.0,"white",null]],[5,1,[1,500.0,200.0,60.0,"white",null]]],"typed":false}');
INSERT INTO "events" VALUES(5,1,'2026-01-06T12:00:00+00:00','held_set','{"kind":"held_set","slots":[1,2,3]}');
INSERT INTO "events" VALUES(6,1,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,5,[5,100.0,290.0,60.0,"white",null]],[2,5,[5,200.0,290.0,60.0,"white",null]],[3,5,[5,300.0,290.0,60.0,"white",null]],[4,2,[2,400.0,290.0,60.0,"white",null]],[5,2,[2,500.0,290.0,60.0,"white",null]]],"typed":false}');
INSERT INTO "events" VALUES(7,1,'2026-01-06T12:00:00+00:00','choosing_begun','{"kind":"choosing_begun"}');
INSERT INTO "events" VALUES(8,1,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"full-house","slots":[]}');
INSERT INTO "events" VALUES(9,1,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,1,[0,100.0,290.0,60.0,"white",null]],[2,1,[0,200.0,290.0,60.0,"white",null]],[3,2,[0,300.0,290.0,60.0,"white",null]],[4,3,[0,400.0,290.0,60.0,"white",null]],[5,4,[0,500.0,290.0,60.0,"white",null]]],"typed":true}');
INSERT INTO "events" VALUES(10,1,'2026-01-06T12:00:00+00:00','die_corrected','{"kind":"die_corrected","slot":3,"face":1}');
INSERT INTO "events" VALUES(11,1,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"ones","slots":[]}');
INSERT INTO "events" VALUES(12,1,'2026-01-06T12:00:00+00:00','undone','{"kind":"undone"}');
INSERT INTO "events" VALUES(13,1,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"choice","slots":[]}');
INSERT INTO "events" VALUES(14,1,'2026-01-06T12:00:00+00:00','player_added','{"kind":"player_added","name":"Cleo"}');
INSERT INTO "events" VALUES(15,1,'2026-01-06T12:00:00+00:00','box_corrected','{"kind":"box_corrected","seat":1,"category":"choice","faces":[1,1,1,3,5],"throw":3,"to":""}');
INSERT INTO "events" VALUES(16,1,'2026-01-06T12:00:00+00:00','game_ended','{"kind":"game_ended"}');
INSERT INTO "events" VALUES(17,2,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":2,"previous":1,"rules":"yacht-1938","players":["Ana","Ben","Cleo"],"house":""}');
INSERT INTO "events" VALUES(18,2,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,6,[0,100.0,290.0,60.0,"white",null]],[2,6,[0,200.0,290.0,60.0,"white",null]],[3,6,[0,300.0,290.0,60.0,"white",null]],[4,6,[0,400.0,290.0,60.0,"white",null]],[5,2,[0,500.0,290.0,60.0,"white",null]]],"typed":true}');
CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL,
            ended_early INTEGER NOT NULL
        ) STRICT;
INSERT INTO "games" VALUES(1,'yacht-1938','2026-01-06T12:00:00+00:00','2026-01-06T12:00:00+00:00',1);
CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO "numbers" VALUES('next_version',100001);
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
INSERT INTO "results" VALUES(1,0,'Ana','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": 19, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": null}',0,0,0,19,1);
INSERT INTO "results" VALUES(1,1,'Ben','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": 11, "yacht": null}',0,0,0,11,0);
INSERT INTO "results" VALUES(1,2,'Cleo','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": null}',0,0,0,0,0);
CREATE TABLE standing (
            place INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id)
        ) STRICT;
INSERT INTO "standing" VALUES(3,3);
INSERT INTO "standing" VALUES(4,4);
INSERT INTO "standing" VALUES(5,5);
INSERT INTO "standing" VALUES(6,6);
INSERT INTO "standing" VALUES(7,7);
INSERT INTO "standing" VALUES(8,8);
INSERT INTO "standing" VALUES(9,9);
INSERT INTO "standing" VALUES(10,10);
INSERT INTO "standing" VALUES(11,13);
INSERT INTO "standing" VALUES(12,14);
INSERT INTO "standing" VALUES(13,15);
INSERT INTO "standing" VALUES(14,16);
INSERT INTO "standing" VALUES(15,17);
INSERT INTO "standing" VALUES(16,18);
CREATE INDEX events_by_game ON events (game, id);
CREATE INDEX results_by_name ON results (name);
COMMIT;
