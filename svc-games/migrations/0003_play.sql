-- What operators publish, and what players play.

-- Rules modules, by the SHA-256 of their bytes.
CREATE TABLE rules (
    sha256           bytea       NOT NULL,
    module           bytea       NOT NULL,
    -- 0 in a game of moves.
    ticks_per_second integer     NOT NULL,
    -- Inputs are 0 to this, less one.
    inputs           integer     NOT NULL,
    created_at       timestamptz NOT NULL,
    CONSTRAINT rules_pkey PRIMARY KEY (sha256),
    CONSTRAINT rules_sha256 CHECK (octet_length(sha256) = 32),
    CONSTRAINT rules_module CHECK (octet_length(module) BETWEEN 1 AND 1048576)
);
COMMENT ON TABLE rules IS 'Rows stay for good: kept runs are replayed with the rules that they were played by. A game has few versions.';

-- The key is the operators'; the id that players see is derived from it.
ALTER TABLE game
    ADD COLUMN key text,
    ADD COLUMN world text NOT NULL DEFAULT '',
    ADD COLUMN levels integer NOT NULL DEFAULT 1,
    ADD COLUMN rules_sha256 bytea,
    ADD CONSTRAINT game_levels CHECK (levels BETWEEN 1 AND 16),
    ADD CONSTRAINT game_rules FOREIGN KEY (rules_sha256) REFERENCES rules (sha256);
UPDATE game SET key = id::text;
ALTER TABLE game ALTER COLUMN key SET NOT NULL, ADD CONSTRAINT game_key UNIQUE (key);

CREATE TABLE event (
    id               uuid        NOT NULL,
    key              text        NOT NULL,
    title            text        NOT NULL,
    description      text        NOT NULL,
    event_banner_url text        NOT NULL,
    created_at       timestamptz NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (id),
    CONSTRAINT event_key UNIQUE (key)
);
-- The banner shows the newest.
CREATE INDEX event_newest ON event (created_at DESC, id DESC);
COMMENT ON TABLE event IS 'Rows stay until an operator removes them.';

CREATE TABLE tv_item (
    id          uuid        NOT NULL,
    key         text        NOT NULL,
    title       text        NOT NULL,
    channel_url text        NOT NULL,
    is_primary  boolean     NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT tv_item_pkey PRIMARY KEY (id),
    CONSTRAINT tv_item_key UNIQUE (key)
);
CREATE UNIQUE INDEX tv_item_one_primary ON tv_item (is_primary) WHERE is_primary;
CREATE INDEX tv_item_in_order ON tv_item (is_primary DESC, created_at DESC, id DESC);
COMMENT ON TABLE tv_item IS 'Rows stay until an operator removes them.';

-- Who changed what. The content is the manifest after the change; null after a removal.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('Game', 'Event', 'TvItem')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- The permission to play one run, and what came of it.
CREATE TABLE play_session (
    id            uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    game_id       uuid        NOT NULL,
    rules_sha256  bytea       NOT NULL,
    -- Of the secret in the player's ticket.
    secret_sha256 bytea       NOT NULL,
    seed          bigint      NOT NULL,
    level         integer     NOT NULL,
    started_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    -- SHA-256 of the inputs and points that were submitted. Set before the replay, so that
    -- of two submissions one is replayed.
    submission    bytea,
    submitted_at  timestamptz,
    points        integer,
    trust         text,
    refusal       text,
    CONSTRAINT play_session_pkey PRIMARY KEY (id),
    CONSTRAINT play_session_submitted CHECK ((submission IS NULL) = (submitted_at IS NULL)),
    CONSTRAINT play_session_score CHECK ((points IS NULL) = (trust IS NULL)),
    CONSTRAINT play_session_outcome CHECK (points IS NULL OR refusal IS NULL),
    CONSTRAINT play_session_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed', 'Held'))
);
-- For the sweep.
CREATE INDEX play_session_expired ON play_session (expires_at);
COMMENT ON TABLE play_session IS 'Rows stay until 7 days after they expire; the job sweep removes them.';

-- The best run of a player in a game. Its inputs are kept, so that it can be watched.
CREATE TABLE best_run (
    player_id    uuid        NOT NULL,
    game_id      uuid        NOT NULL,
    points       integer     NOT NULL,
    session_id   uuid        NOT NULL,
    rules_sha256 bytea       NOT NULL,
    seed         bigint      NOT NULL,
    level        integer     NOT NULL,
    inputs       bytea       NOT NULL,
    reached_at   timestamptz NOT NULL,
    CONSTRAINT best_run_pkey PRIMARY KEY (player_id, game_id),
    CONSTRAINT best_run_inputs CHECK (octet_length(inputs) <= 65536)
);
COMMENT ON TABLE best_run IS 'Rows stay as long as the player''s account.';

CREATE TABLE recent_game (
    player_id uuid        NOT NULL,
    game_id   uuid        NOT NULL,
    played_at timestamptz NOT NULL,
    CONSTRAINT recent_game_pkey PRIMARY KEY (player_id, game_id)
);
COMMENT ON TABLE recent_game IS 'Rows stay as long as the player''s account; one for each game that the player played.';
