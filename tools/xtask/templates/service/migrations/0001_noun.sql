-- {{Nouns_words}} of players.

CREATE TABLE {{noun}} (
    id           uuid        PRIMARY KEY,
    player_id    uuid        NOT NULL,
    name         text        NOT NULL,
    code         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    -- When the job expired it.
    expired_at   timestamptz,
    -- When its creation was announced.
    announced_at timestamptz,
    CONSTRAINT {{noun}}_code UNIQUE (code),
    CONSTRAINT {{noun}}_name CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT {{noun}}_expiry CHECK (created_at < expires_at)
);
COMMENT ON TABLE {{noun}} IS 'Rows stay until 30 days after they expired; the job that sweeps removes them.';

-- A player's list, in pages: ids sort by the time of their creation.
CREATE INDEX {{noun}}_by_player ON {{noun}} (player_id, id DESC);
-- For the job that expires them.
CREATE INDEX {{noun}}_due ON {{noun}} (expires_at) WHERE expired_at IS NULL;
-- For the sweep.
CREATE INDEX {{noun}}_expired ON {{noun}} (expired_at) WHERE expired_at IS NOT NULL;
