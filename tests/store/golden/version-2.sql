PRAGMA application_id = 1497449288;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
INSERT INTO "events" VALUES(7,2,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":2,"previous":1,"rules":"general","players":["Ana","Ben","Cleo"],"house":"","left":[],"rolling":false}');
INSERT INTO "events" VALUES(8,2,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,5,[5,100.0,200.0,60.0,"white",null]],[2,5,[5,200.0,200.0,60.0,"white",null]],[3,1,[1,300.0,200.0,60.0,"white",null]],[4,2,[2,400.0,200.0,60.0,"white",null]],[5,6,[6,500.0,200.0,60.0,"white",null]]],"typed":false}');
INSERT INTO "events" VALUES(9,2,'2026-01-06T12:00:00+00:00','held_set','{"kind":"held_set","slots":[1,2]}');
INSERT INTO "events" VALUES(10,2,'2026-01-06T12:00:00+00:00','roll_kept','{"kind":"roll_kept","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(11,2,'2026-01-06T12:00:00+00:00','player_renamed','{"kind":"player_renamed","seat":1,"name":"Benno"}');
INSERT INTO "events" VALUES(12,2,'2026-01-06T12:00:00+00:00','player_moved','{"kind":"player_moved","seat":2,"to":0}');
INSERT INTO "events" VALUES(13,2,'2026-01-06T12:00:00+00:00','player_removed','{"kind":"player_removed","seat":0,"left":[],"rolling":false}');
INSERT INTO "events" VALUES(14,2,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"ones","slots":[],"left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(15,2,'2026-01-06T12:00:00+00:00','box_corrected','{"kind":"box_corrected","seat":1,"category":"ones","faces":[1,1,1,1,1],"throw":1,"to":""}');
INSERT INTO "events" VALUES(16,2,'2026-01-06T12:00:00+00:00','game_ended','{"kind":"game_ended","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(17,3,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":3,"previous":2,"rules":"yacht-1938","players":["Ömer","Zoë"],"house":"","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(18,3,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,6,[0,100.0,203.0,60.0,"white",null]],[2,6,[0,200.0,203.0,60.0,"white",null]],[3,6,[0,300.0,203.0,60.0,"white",null]],[4,6,[0,400.0,203.0,60.0,"white",null]],[5,5,[0,500.0,203.0,60.0,"white",null]]],"typed":true}');
INSERT INTO "events" VALUES(19,3,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"choice","slots":[],"left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(20,3,'2026-01-06T12:00:00+00:00','game_ended','{"kind":"game_ended","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(21,4,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":4,"previous":3,"rules":"yacht-1938","players":["Ömer","Zoë"],"house":"","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(22,4,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,1,[0,100.0,203.0,60.0,"white",null]],[2,1,[0,200.0,203.0,60.0,"white",null]],[3,1,[0,300.0,203.0,60.0,"white",null]],[4,2,[0,400.0,203.0,60.0,"white",null]],[5,3,[0,500.0,203.0,60.0,"white",null]]],"typed":true}');
INSERT INTO "events" VALUES(23,4,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"ones","slots":[],"left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(24,4,'2026-01-06T12:00:00+00:00','undone','{"kind":"undone"}');
INSERT INTO "events" VALUES(25,4,'2026-01-06T12:00:00+00:00','undone','{"kind":"undone"}');
INSERT INTO "events" VALUES(26,4,'2026-01-06T12:00:00+00:00','undone','{"kind":"undone"}');
INSERT INTO "events" VALUES(27,3,'2026-01-06T12:00:00+00:00','undone','{"kind":"undone"}');
INSERT INTO "events" VALUES(28,3,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,6,[0,100.0,203.0,60.0,"white",null]],[2,6,[0,200.0,203.0,60.0,"white",null]],[3,6,[0,300.0,203.0,60.0,"white",null]],[4,6,[0,400.0,203.0,60.0,"white",null]],[5,6,[0,500.0,203.0,60.0,"white",null]]],"typed":true}');
INSERT INTO "events" VALUES(29,3,'2026-01-06T12:00:00+00:00','box_scored','{"kind":"box_scored","category":"yacht","slots":[],"left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(30,3,'2026-01-06T12:00:00+00:00','game_ended','{"kind":"game_ended","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(31,5,'2026-01-06T12:00:00+00:00','game_started','{"kind":"game_started","game":5,"previous":3,"rules":"yacht-1938","players":["Ömer","Zoë"],"house":"","left":[[0,100.0,203.0,60.0,"white",null],[0,200.0,203.0,60.0,"white",null],[0,300.0,203.0,60.0,"white",null],[0,400.0,203.0,60.0,"white",null],[0,500.0,203.0,60.0,"white",null]],"rolling":false}');
INSERT INTO "events" VALUES(32,5,'2026-01-06T12:00:00+00:00','roll_accepted','{"kind":"roll_accepted","dice":[[1,6,[0,100.0,203.0,60.0,"white",null]],[2,6,[0,200.0,203.0,60.0,"white",null]],[3,6,[0,300.0,203.0,60.0,"white",null]],[4,6,[0,400.0,203.0,60.0,"white",null]],[5,2,[0,500.0,203.0,60.0,"white",null]]],"typed":true}');
CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL,
            ended_early INTEGER NOT NULL
        , ended_by TEXT NOT NULL DEFAULT 'complete') STRICT;
INSERT INTO "games" VALUES(2,'general','2026-01-06T12:00:00+00:00','2026-01-06T12:00:00+00:00',1,'early');
INSERT INTO "games" VALUES(3,'yacht-1938','2026-01-06T12:00:00+00:00','2026-01-06T12:00:00+00:00',1,'early');
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
INSERT INTO "results" VALUES(2,0,'Cleo','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "straight": null, "full-house": null, "four-of-a-kind": null, "general": null}',0,0,0,0,0);
INSERT INTO "results" VALUES(2,1,'Ana','{"ones": 5, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "straight": null, "full-house": null, "four-of-a-kind": null, "general": null}',5,0,0,5,1);
INSERT INTO "results" VALUES(2,2,'Benno','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "straight": null, "full-house": null, "four-of-a-kind": null, "general": null}',0,0,0,0,0);
INSERT INTO "results" VALUES(3,0,'Ömer','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": 29, "yacht": null}',0,0,0,29,0);
INSERT INTO "results" VALUES(3,1,'Zoë','{"ones": null, "twos": null, "threes": null, "fours": null, "fives": null, "sixes": null, "full-house": null, "four-of-a-kind": null, "little-straight": null, "big-straight": null, "choice": null, "yacht": 50}',0,0,0,50,1);
CREATE TABLE standing (
            place INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id)
        ) STRICT;
INSERT INTO "standing" VALUES(15,17);
INSERT INTO "standing" VALUES(16,18);
INSERT INTO "standing" VALUES(17,19);
INSERT INTO "standing" VALUES(18,28);
INSERT INTO "standing" VALUES(19,29);
INSERT INTO "standing" VALUES(20,30);
INSERT INTO "standing" VALUES(21,31);
INSERT INTO "standing" VALUES(22,32);
CREATE INDEX events_by_game ON events (game, id);
CREATE INDEX results_by_name ON results (name);
COMMIT;
