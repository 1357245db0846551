-- This schema holds, in this order: the rules, games, events and videos that operators publish,
-- with the audit of their changes; play sessions and the runs that come of them; runs in
-- tournaments and the runs that are held for operators; and the outbox. It has no seed data,
-- because operators publish the content.
--
-- A game's score is proven in one of two ways: the service replays the inputs by the game's rules,
-- or the game's own server signs the result with its score key. A game with neither has scores that
-- are only claimed.

-- A rules module replays the inputs of a run, which proves the score. It is named by the SHA-256 of
-- its bytes.
CREATE TABLE rules (
    sha256           bytea       NOT NULL,
    module           bytea       NOT NULL,
    -- The module runs this many steps a second; 0 in a game of moves.
    ticks_per_second integer     NOT NULL,
    -- An input is at least 0 and less than this number.
    inputs           integer     NOT NULL,
    created_at       timestamptz NOT NULL,
    CONSTRAINT rules_pkey PRIMARY KEY (sha256),
    CONSTRAINT rules_sha256 CHECK (octet_length(sha256) = 32),
    CONSTRAINT rules_module CHECK (octet_length(module) BETWEEN 1 AND 1048576)
);
COMMENT ON TABLE rules IS 'Rows stay for good: kept runs are replayed with the rules that they were played by. A game has few versions.';

-- A game is an entry of the catalogue. The catalogue is small; every visitor reads it and operators
-- write it.
CREATE TABLE game (
    -- Players see this id. It is derived from the key, which operators choose.
    id           uuid        NOT NULL,
    key          text        NOT NULL,
    name         text        NOT NULL,
    -- App stores name the game by this reverse-domain name.
    package_id   text        NOT NULL,
    description  text        NOT NULL,
    game_icon    text        NOT NULL,
    trailer_link text,
    game_url     text        NOT NULL,
    featured     boolean     NOT NULL DEFAULT false,
    -- The web app has colours and art for the game under this name; empty for a game without its
    -- own.
    world        text        NOT NULL DEFAULT '',
    -- A player can choose from this many levels.
    levels       integer     NOT NULL DEFAULT 1,
    rules_sha256 bytea,
    -- This Ed25519 public key belongs to a game whose own server signs the results.
    score_key    bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT game_pkey PRIMARY KEY (id),
    CONSTRAINT game_package UNIQUE (package_id),
    CONSTRAINT game_key UNIQUE (key),
    CONSTRAINT game_rules FOREIGN KEY (rules_sha256) REFERENCES rules (sha256),
    CONSTRAINT game_name CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT game_levels CHECK (levels BETWEEN 1 AND 16),
    CONSTRAINT game_score_key CHECK (octet_length(score_key) = 32),
    CONSTRAINT game_one_proof CHECK (rules_sha256 IS NULL OR score_key IS NULL)
);
-- The list shows games in this order. Ids break ties, so that the order never changes between two
-- reads.
CREATE INDEX game_in_order ON game (featured DESC, name, id);
COMMENT ON TABLE game IS 'Rows stay until an operator removes them.';

-- The banner announces an event.
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
-- The banner shows the newest events.
CREATE INDEX event_newest ON event (created_at DESC, id DESC);
COMMENT ON TABLE event IS 'Rows stay until an operator removes them.';

-- A TV item is a video of PlayOn TV.
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
-- At most one video is the primary one.
CREATE UNIQUE INDEX tv_item_one_primary ON tv_item (is_primary) WHERE is_primary;
-- The list shows the primary video first, then the newest.
CREATE INDEX tv_item_in_order ON tv_item (is_primary DESC, created_at DESC, id DESC);
COMMENT ON TABLE tv_item IS 'Rows stay until an operator removes them.';

-- A content change records which operator changed what.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    -- This is the manifest after the change; null after a removal.
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('Game', 'Event', 'TvItem')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- A play session is the permission to play one run, with the outcome of that run.
CREATE TABLE play_session (
    id            uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    game_id       uuid        NOT NULL,
    -- The score is proven by these rules or by this key; both are null for a claimed score.
    rules_sha256  bytea,
    score_key     bytea,
    -- The round of a tournament gave seed and level; ends_at is the tournament's end.
    tournament_id uuid,
    round         integer,
    ends_at       timestamptz,
    -- This is SHA-256 of the secret in the player's ticket.
    secret_sha256 bytea       NOT NULL,
    seed          bigint      NOT NULL,
    level         integer     NOT NULL,
    started_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    -- This is SHA-256 of the inputs and points that were submitted. It is set before the replay, so
    -- that one of two submissions is replayed.
    submission    bytea,
    submitted_at  timestamptz,
    points        integer,
    trust         text,
    refusal       text,
    CONSTRAINT play_session_pkey PRIMARY KEY (id),
    CONSTRAINT play_session_one_proof CHECK (rules_sha256 IS NULL OR score_key IS NULL),
    CONSTRAINT play_session_tournament
        CHECK (num_nulls(tournament_id, round, ends_at) IN (0, 3)),
    CONSTRAINT play_session_submitted CHECK ((submission IS NULL) = (submitted_at IS NULL)),
    CONSTRAINT play_session_score CHECK ((points IS NULL) = (trust IS NULL)),
    CONSTRAINT play_session_outcome CHECK (points IS NULL OR refusal IS NULL),
    CONSTRAINT play_session_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed', 'Held'))
);
-- The job sweep reads the expired sessions.
CREATE INDEX play_session_expired ON play_session (expires_at);
-- The settlement of a tournament waits for sessions without an outcome, including those that can
-- still be submitted.
CREATE INDEX play_session_unfinished ON play_session (tournament_id)
    WHERE tournament_id IS NOT NULL AND points IS NULL AND refusal IS NULL;
COMMENT ON TABLE play_session IS 'Rows stay until 7 days after they expire; the job sweep removes them.';

-- A best run is a player's run with the most points in a game. Its inputs are kept, so that it can
-- be watched.
CREATE TABLE best_run (
    player_id    uuid        NOT NULL,
    game_id      uuid        NOT NULL,
    points       integer     NOT NULL,
    -- Claimed points rank below points that are proven or signed.
    trust        text        NOT NULL,
    session_id   uuid        NOT NULL,
    -- The hash is null for a run without rules, which cannot be watched.
    rules_sha256 bytea,
    seed         bigint      NOT NULL,
    level        integer     NOT NULL,
    inputs       bytea       NOT NULL,
    reached_at   timestamptz NOT NULL,
    CONSTRAINT best_run_pkey PRIMARY KEY (player_id, game_id),
    CONSTRAINT best_run_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed')),
    CONSTRAINT best_run_inputs CHECK (octet_length(inputs) <= 65536)
);
COMMENT ON TABLE best_run IS 'Rows stay as long as the player''s account.';

-- A row says when a player last played a game.
CREATE TABLE recent_game (
    player_id uuid        NOT NULL,
    game_id   uuid        NOT NULL,
    played_at timestamptz NOT NULL,
    CONSTRAINT recent_game_pkey PRIMARY KEY (player_id, game_id)
);
-- The players of a game are read page by page. The index omits played_at, so that another run of
-- the same player does not update it.
CREATE INDEX recent_game_players ON recent_game (game_id, player_id);
COMMENT ON TABLE recent_game IS 'Rows stay as long as the player''s account; one for each game that the player played.';

-- A row counts the runs that a player has started in a round of a tournament, which limits them.
CREATE TABLE tournament_runs (
    player_id     uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    round         integer     NOT NULL,
    runs          integer     NOT NULL,
    -- The tournament ends at this time.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_runs_pkey PRIMARY KEY (player_id, tournament_id, round),
    CONSTRAINT tournament_runs_runs CHECK (runs > 0)
);
CREATE INDEX tournament_runs_ended ON tournament_runs (ends_at);
COMMENT ON TABLE tournament_runs IS 'Rows stay until 7 days after the tournament ends; the job sweep removes them.';

-- A tournament run is the best of a player in a tournament: it has the most points, and of equal
-- points it was first. Its inputs are kept, so that it can be watched.
CREATE TABLE tournament_run (
    tournament_id uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    game_id       uuid        NOT NULL,
    points        integer     NOT NULL,
    session_id    uuid        NOT NULL,
    -- The hash is null for a run without rules, which cannot be watched.
    rules_sha256  bytea,
    seed          bigint      NOT NULL,
    level         integer     NOT NULL,
    inputs        bytea       NOT NULL,
    reached_at    timestamptz NOT NULL,
    -- The tournament ends at this time.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_run_pkey PRIMARY KEY (tournament_id, player_id),
    CONSTRAINT tournament_run_inputs CHECK (octet_length(inputs) <= 65536)
);
CREATE INDEX tournament_run_ended ON tournament_run (ends_at);
COMMENT ON TABLE tournament_run IS 'Rows stay until 365 days after the tournament ends; the job sweep removes them.';

-- A row says which player's run in a round had these inputs first. A run of another player with the
-- same inputs is held.
CREATE TABLE tournament_inputs (
    tournament_id uuid        NOT NULL,
    round         integer     NOT NULL,
    -- This is SHA-256 of the inputs in their shortest form, which every encoding of a run shares.
    inputs_sha256 bytea       NOT NULL,
    player_id     uuid        NOT NULL,
    -- The tournament ends at this time.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_inputs_pkey PRIMARY KEY (tournament_id, round, inputs_sha256)
);
CREATE INDEX tournament_inputs_ended ON tournament_inputs (ends_at);
COMMENT ON TABLE tournament_inputs IS 'Rows stay until 7 days after the tournament ends; the job sweep removes them.';

-- A held run is proven and yet looks inhuman. An operator decides whether it counts.
CREATE TABLE held_run (
    session_id      uuid        NOT NULL,
    player_id       uuid        NOT NULL,
    game_id         uuid        NOT NULL,
    -- The run was in this round, and ends_at is the tournament's end; null outside a tournament.
    tournament_id   uuid,
    round           integer,
    ends_at         timestamptz,
    points          integer     NOT NULL,
    reason          text        NOT NULL,
    rules_sha256    bytea       NOT NULL,
    seed            bigint      NOT NULL,
    level           integer     NOT NULL,
    -- The job sweep removes the inputs after the decision; then they are null.
    inputs          bytea,
    actions         integer     NOT NULL,
    -- This many seconds passed from the start of the session to the submission.
    elapsed_seconds integer     NOT NULL,
    submitted_at    timestamptz NOT NULL,
    decision        text,
    operator        text,
    -- The operator gives this reason.
    decision_reason text,
    decided_at      timestamptz,
    CONSTRAINT held_run_pkey PRIMARY KEY (session_id),
    CONSTRAINT held_run_tournament CHECK (num_nulls(tournament_id, round, ends_at) IN (0, 3)),
    CONSTRAINT held_run_reason CHECK (reason IN ('InhumanRate', 'SameInputs')),
    CONSTRAINT held_run_inputs
        CHECK (octet_length(inputs) <= 65536 AND (inputs IS NOT NULL OR decided_at IS NOT NULL)),
    CONSTRAINT held_run_decision CHECK (decision IN ('Released', 'Refused')),
    CONSTRAINT held_run_decided
        CHECK (num_nulls(decision, operator, decision_reason, decided_at) IN (0, 4))
);
-- Operators list the runs without a decision.
CREATE INDEX held_run_undecided ON held_run (session_id) WHERE decision IS NULL;
-- The settlement of a tournament waits for its runs without a decision.
CREATE INDEX held_run_undecided_in_tournament ON held_run (tournament_id) WHERE decision IS NULL;
-- The job sweep reads the decided runs that still have inputs.
CREATE INDEX held_run_with_inputs ON held_run (decided_at)
    WHERE decision IS NOT NULL AND inputs IS NOT NULL;
COMMENT ON TABLE held_run IS 'Rows stay for good: the audit of what operators decided. The job sweep removes the inputs 90 days after the decision.';

-- The outbox of crates/mesh (src/outbox/table.sql) holds the scores that are to reach
-- svc-tournament.
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Counts the attempts that ended without an outcome, because their process died or lost the
    -- database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- True while a relay has the row and has not settled it. Then due_at is the end of the lease.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The row became a dead letter at this time; null before.
    parked_at   timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (topic, id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';
