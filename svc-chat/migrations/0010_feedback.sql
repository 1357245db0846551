-- What people wrote to the support, which is mailed to it by the outbox.
CREATE TABLE feedback (
    -- Follows from the player and what the player's device calls it, so that this key also
    -- keeps a repeated call from storing it twice.
    id         uuid        NOT NULL,
    -- Absent for a guest.
    player_id  uuid,
    -- Where the answer goes.
    email      text        NOT NULL,
    subject    text        NOT NULL,
    message    text        NOT NULL,
    -- The trace of the call, by which an operator finds what went wrong.
    trace      text,
    created_at timestamptz NOT NULL,
    -- When the mail server accepted the mail, or refused it for good.
    mailed_at  timestamptz,
    CONSTRAINT feedback_pkey PRIMARY KEY (id),
    CONSTRAINT feedback_email CHECK (length(email) BETWEEN 3 AND 254),
    CONSTRAINT feedback_subject CHECK (length(subject) BETWEEN 1 AND 120),
    CONSTRAINT feedback_message CHECK (length(message) BETWEEN 1 AND 4000)
);
-- How much a player, or one address, wrote lately.
CREATE INDEX feedback_by_player ON feedback (player_id, created_at) WHERE player_id IS NOT NULL;
CREATE INDEX feedback_by_email ON feedback (email, created_at);
-- For the sweep.
CREATE INDEX feedback_by_age ON feedback (created_at);
COMMENT ON TABLE feedback IS 'Rows stay for a year (FEEDBACK_RETENTION); the job that sweeps removes them.';
