-- Runs in tournaments, and runs that operators decide on.

-- The Ed25519 public key of a game whose own server signs the results.
ALTER TABLE game
    ADD COLUMN score_key bytea,
    ADD CONSTRAINT game_score_key CHECK (octet_length(score_key) = 32),
    ADD CONSTRAINT game_one_proof CHECK (rules_sha256 IS NULL OR score_key IS NULL);

-- A session has what its score is proven by: rules, a key, or neither. In a tournament it
-- has the round, which gave seed and level, and the tournament's end.
ALTER TABLE play_session
    ALTER COLUMN rules_sha256 DROP NOT NULL,
    ADD COLUMN score_key bytea,
    ADD COLUMN tournament_id uuid,
    ADD COLUMN round integer,
    ADD COLUMN ends_at timestamptz,
    ADD CONSTRAINT play_session_one_proof CHECK (rules_sha256 IS NULL OR score_key IS NULL),
    ADD CONSTRAINT play_session_tournament
        CHECK (num_nulls(tournament_id, round, ends_at) IN (0, 3));
-- The settlement of a tournament waits for these.
CREATE INDEX play_session_unfinished ON play_session (tournament_id)
    WHERE tournament_id IS NOT NULL AND submission IS NOT NULL AND points IS NULL AND refusal IS NULL;

-- A run without rules cannot be watched. Its points count below those that are proven.
ALTER TABLE best_run
    ALTER COLUMN rules_sha256 DROP NOT NULL,
    ADD COLUMN trust text NOT NULL DEFAULT 'Proven',
    ADD CONSTRAINT best_run_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed'));
ALTER TABLE best_run ALTER COLUMN trust DROP DEFAULT;

-- How many runs a player has started in a round of a tournament.
CREATE TABLE tournament_runs (
    player_id     uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    round         integer     NOT NULL,
    runs          integer     NOT NULL,
    -- Of the tournament.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_runs_pkey PRIMARY KEY (player_id, tournament_id, round),
    CONSTRAINT tournament_runs_runs CHECK (runs > 0)
);
CREATE INDEX tournament_runs_ended ON tournament_runs (ends_at);
COMMENT ON TABLE tournament_runs IS 'Rows stay until 7 days after the tournament ends; the job sweep removes them.';

-- The best run of a player in a tournament, by points and then by who was first. Its
-- inputs are kept, so that it can be watched.
CREATE TABLE tournament_run (
    tournament_id uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    game_id       uuid        NOT NULL,
    points        integer     NOT NULL,
    session_id    uuid        NOT NULL,
    rules_sha256  bytea,
    seed          bigint      NOT NULL,
    level         integer     NOT NULL,
    inputs        bytea       NOT NULL,
    reached_at    timestamptz NOT NULL,
    -- Of the tournament.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_run_pkey PRIMARY KEY (tournament_id, player_id),
    CONSTRAINT tournament_run_inputs CHECK (octet_length(inputs) <= 65536)
);
CREATE INDEX tournament_run_ended ON tournament_run (ends_at);
COMMENT ON TABLE tournament_run IS 'Rows stay until 365 days after the tournament ends; the job sweep removes them.';

-- Whose run in a round had these inputs first. Another player with the same inputs is held.
CREATE TABLE tournament_inputs (
    tournament_id uuid        NOT NULL,
    round         integer     NOT NULL,
    -- Of the inputs in their shortest form.
    inputs_sha256 bytea       NOT NULL,
    player_id     uuid        NOT NULL,
    -- Of the tournament.
    ends_at       timestamptz NOT NULL,
    CONSTRAINT tournament_inputs_pkey PRIMARY KEY (tournament_id, round, inputs_sha256)
);
CREATE INDEX tournament_inputs_ended ON tournament_inputs (ends_at);
COMMENT ON TABLE tournament_inputs IS 'Rows stay until 7 days after the tournament ends; the job sweep removes them.';

-- Runs that prove and look inhuman, with what operators decided on them.
CREATE TABLE held_run (
    session_id      uuid        NOT NULL,
    player_id       uuid        NOT NULL,
    game_id         uuid        NOT NULL,
    tournament_id   uuid,
    round           integer,
    -- Of the tournament.
    ends_at         timestamptz,
    points          integer     NOT NULL,
    reason          text        NOT NULL,
    rules_sha256    bytea       NOT NULL,
    seed            bigint      NOT NULL,
    level           integer     NOT NULL,
    -- Null once they are removed.
    inputs          bytea,
    actions         integer     NOT NULL,
    elapsed_seconds integer     NOT NULL,
    submitted_at    timestamptz NOT NULL,
    decision        text,
    operator        text,
    -- The operator's reason.
    decision_reason text,
    decided_at      timestamptz,
    CONSTRAINT held_run_pkey PRIMARY KEY (session_id),
    CONSTRAINT held_run_reason CHECK (reason IN ('InhumanRate', 'SameInputs')),
    CONSTRAINT held_run_tournament CHECK (num_nulls(tournament_id, round, ends_at) IN (0, 3)),
    CONSTRAINT held_run_inputs CHECK (octet_length(inputs) <= 65536 AND (inputs IS NOT NULL OR decided_at IS NOT NULL)),
    CONSTRAINT held_run_decision CHECK (decision IN ('Released', 'Refused')),
    CONSTRAINT held_run_decided CHECK (num_nulls(decision, operator, decision_reason, decided_at) IN (0, 4))
);
CREATE INDEX held_run_undecided ON held_run (session_id) WHERE decision IS NULL;
CREATE INDEX held_run_undecided_in_tournament ON held_run (tournament_id) WHERE decision IS NULL;
-- For the sweep.
CREATE INDEX held_run_with_inputs ON held_run (decided_at) WHERE decision IS NOT NULL AND inputs IS NOT NULL;
COMMENT ON TABLE held_run IS 'Rows stay for good: the audit of what operators decided. The job sweep removes the inputs 90 days after the decision.';

-- The outbox of crates/mesh (src/outbox/table.sql).
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Tries that ended without an outcome: their process died, or lost the database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- Handed over, and not settled yet; due_at is the lease's end.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- Since when it is a dead letter.
    parked_at   timestamptz,
    PRIMARY KEY (topic, id)
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
