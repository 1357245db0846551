-- A player has so many sessions at most: one more, and the one used longest ago ends.
ALTER TABLE session DROP CONSTRAINT session_end_known;
ALTER TABLE session ADD CONSTRAINT session_end_known CHECK (ended_because IN (
    'SIGNED_OUT', 'SIGNED_OUT_EVERYWHERE', 'REUSED', 'DISPLACED',
    'PASSWORD_CHANGED', 'PASSWORD_RESET', 'ACCOUNT_JOINED', 'ACCOUNT_DELETED'));
-- However many have ended, those that stand are found without looking at them.
CREATE INDEX session_standing ON session (player_id) WHERE ended_at IS NULL;

-- How often a session's token was traded. Each of them leaves a row in refresh_token.
ALTER TABLE session ADD COLUMN trades integer NOT NULL DEFAULT 0
    CONSTRAINT session_trades CHECK (trades >= 0);

-- When the end of a session was written, by Postgres' clock. Replicas read what ended
-- in this order: their own clocks differ, and ended_at is by one of those.
ALTER TABLE session ADD COLUMN end_noted_at timestamptz;
UPDATE session SET end_noted_at = ended_at WHERE ended_at IS NOT NULL;
CREATE INDEX session_end_noted_at ON session (end_noted_at) WHERE end_noted_at IS NOT NULL;
