CREATE TABLE request (
    player_id   uuid        NOT NULL,
    request_id  text        NOT NULL,
    -- Of the operation's name and its content.
    fingerprint text        NOT NULL,
    -- What the caller got; repeats get the same.
    reply       jsonb,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (player_id, request_id)
);
-- For the sweep, after seven days.
CREATE INDEX request_created_at ON request (created_at);
COMMENT ON TABLE request IS 'Rows stay seven days; the job that sweeps requests removes them.';
