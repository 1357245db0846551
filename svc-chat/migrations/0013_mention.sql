-- Which messages notified the players whom they mention, so that a delivery that is repeated
-- does nothing, and how many players a sender has notified lately is known.
CREATE TABLE mention_notice (
    message_id uuid        NOT NULL,
    sender_id  uuid        NOT NULL,
    -- Players whom the message notified.
    players    smallint    NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT mention_notice_pkey PRIMARY KEY (message_id),
    CONSTRAINT mention_notice_players CHECK (players BETWEEN 0 AND 5)
);
-- For the limit of a sender.
CREATE INDEX mention_notice_by_sender ON mention_notice (sender_id, created_at);
-- For the sweep.
CREATE INDEX mention_notice_by_age ON mention_notice (created_at);
COMMENT ON TABLE mention_notice IS 'Rows stay for an hour, the period of the limit; the job that sweeps what is kept for safety removes them.';
