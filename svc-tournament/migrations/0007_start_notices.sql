-- Players are notified when a tournament of a game that they play begins.

-- The last of them in the order of ids, and whether all are. Tournaments that have begun need no
-- notice.
ALTER TABLE tournament
    ADD COLUMN start_notified_player uuid,
    ADD COLUMN start_notified boolean NOT NULL DEFAULT false;
UPDATE tournament SET start_notified = true WHERE starts <= now();

CREATE INDEX tournament_start_unnotified ON tournament (starts) WHERE NOT start_notified;
