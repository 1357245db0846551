-- What ends a session, beyond its player and a token used twice.
ALTER TABLE session DROP CONSTRAINT session_end_known;
ALTER TABLE session ADD CONSTRAINT session_end_known CHECK (ended_because IN (
    'SIGNED_OUT', 'SIGNED_OUT_EVERYWHERE', 'REUSED',
    'PASSWORD_CHANGED', 'PASSWORD_RESET', 'ACCOUNT_JOINED', 'ACCOUNT_DELETED'));

-- Every replica asks four times a second what has ended: those rows alone, in order.
CREATE INDEX session_ended_at ON session (ended_at) WHERE ended_at IS NOT NULL;
