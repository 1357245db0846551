-- A run begins when its page asks for the seed; a session whose run has not begun counts as no run.
ALTER TABLE play_session ADD COLUMN begun_at timestamptz;
-- The default is for sessions that a replica of the release before starts during a rollout: their
-- runs begin at once, as they did. A later release drops it.
ALTER TABLE play_session ALTER COLUMN begun_at SET DEFAULT now();
-- The runs that are over need no beginning.
UPDATE play_session SET begun_at = started_at WHERE points IS NULL AND refusal IS NULL;
