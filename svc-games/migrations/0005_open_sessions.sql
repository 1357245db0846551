-- The settlement of a tournament waits for sessions that can still be submitted, too.
DROP INDEX play_session_unfinished;
CREATE INDEX play_session_unfinished ON play_session (tournament_id)
    WHERE tournament_id IS NOT NULL AND points IS NULL AND refusal IS NULL;
