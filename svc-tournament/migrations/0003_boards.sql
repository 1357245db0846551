-- Boards, awards, settlement and the hall of fame.

-- The key is the operators'; the id that players see is derived from it.
ALTER TABLE tournament
    ADD COLUMN key text,
    ADD COLUMN game_key text NOT NULL DEFAULT '',
    ADD COLUMN level integer NOT NULL DEFAULT 0,
    ADD COLUMN rounds integer NOT NULL DEFAULT 1,
    ADD COLUMN runs_per_round integer NOT NULL DEFAULT 1,
    -- The seeds of the rounds are derived from it. It is sent to no one.
    ADD COLUMN secret bytea,
    -- Of the entry in the hall of fame; empty for the tournament's own.
    ADD COLUMN fame_title text NOT NULL DEFAULT '',
    ADD COLUMN fame_description text NOT NULL DEFAULT '',
    -- The sum of the cash awards at the best tier of each position, and the name of the first
    -- position's award. Kept here because the list shows them.
    ADD COLUMN cash_cents bigint,
    ADD COLUMN first_award text NOT NULL DEFAULT '',
    -- How many players have a score: counted while the tournament is on, final afterwards.
    ADD COLUMN players bigint NOT NULL DEFAULT 0,
    -- Differs between a tournament and an earlier one of the same key that was removed.
    ADD COLUMN created_xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    -- Since when no score is recorded.
    ADD COLUMN closed_at timestamptz,
    -- A transaction that began after the commit of closed_at. Once all before it have ended,
    -- all scores are there.
    ADD COLUMN closed_xid bigint,
    -- Since when the board is final and its awards are given.
    ADD COLUMN settled_at timestamptz,
    -- Players up to this rank have their notification in the outbox.
    ADD COLUMN notified_rank bigint NOT NULL DEFAULT 0;
UPDATE tournament
SET key = id::text, game_key = game_id::text,
    secret = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
ALTER TABLE tournament
    ALTER COLUMN key SET NOT NULL,
    ALTER COLUMN secret SET NOT NULL,
    ADD CONSTRAINT tournament_key UNIQUE (key),
    ADD CONSTRAINT tournament_level CHECK (level >= 0),
    ADD CONSTRAINT tournament_rounds CHECK (rounds BETWEEN 1 AND 100),
    ADD CONSTRAINT tournament_runs CHECK (runs_per_round BETWEEN 1 AND 100),
    ADD CONSTRAINT tournament_secret CHECK (octet_length(secret) = 32),
    ADD CONSTRAINT tournament_cash CHECK (cash_cents > 0),
    ADD CONSTRAINT tournament_states CHECK (
        (closed_at IS NOT NULL OR closed_xid IS NULL) AND (closed_xid IS NOT NULL OR settled_at IS NULL)
    ),
    ADD CONSTRAINT tournament_notified CHECK (notified_rank BETWEEN 0 AND players);
-- What the settlement looks for.
-- The pages of the manifests.
CREATE INDEX tournament_by_key ON tournament (key COLLATE "C");
CREATE INDEX tournament_unsettled ON tournament (ends) WHERE settled_at IS NULL;
CREATE INDEX tournament_unnotified ON tournament (settled_at)
    WHERE notified_rank < players AND settled_at IS NOT NULL;

-- What a position wins, for players of a tier.
CREATE TABLE award (
    tournament_id uuid    NOT NULL,
    position      integer NOT NULL,
    tier          text    NOT NULL,
    name          text    NOT NULL,
    -- Null in an award without money.
    cash_cents    bigint,
    CONSTRAINT award_pkey PRIMARY KEY (tournament_id, position, tier),
    CONSTRAINT award_tournament FOREIGN KEY (tournament_id) REFERENCES tournament (id) ON DELETE CASCADE,
    CONSTRAINT award_position CHECK (position BETWEEN 1 AND 100),
    CONSTRAINT award_tier CHECK (tier IN ('Bronze', 'Silver', 'Gold')),
    CONSTRAINT award_cash CHECK (cash_cents > 0)
);
COMMENT ON TABLE award IS 'Rows stay as long as their tournament.';

-- The best score of each player in a tournament that is not settled. No foreign key: its check
-- would lock the row of the tournament for every score.
CREATE TABLE standing (
    tournament_id uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    points        integer     NOT NULL,
    trust         text        NOT NULL,
    reached_at    timestamptz NOT NULL,
    -- The transaction that wrote the row: the boards in memory read what they do not have yet.
    changed_xid   bigint      NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    CONSTRAINT standing_pkey PRIMARY KEY (tournament_id, player_id),
    CONSTRAINT standing_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed'))
);
CREATE INDEX standing_changed ON standing (tournament_id, changed_xid);
COMMENT ON TABLE standing IS 'Rows stay until the settlement of their tournament, which moves them to final_standing.';

-- The statement that writes a score saw the tournament open, and may write after the close. The
-- check here has a snapshot of its own, taken when the transaction already has its id: what it
-- lets pass has an id below the tournament's closed_xid.
CREATE FUNCTION standing_needs_open_tournament() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tournament WHERE id = NEW.tournament_id AND closed_at IS NULL
    ) THEN
        RAISE EXCEPTION 'tournament % takes no more scores', NEW.tournament_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'standing_needs_open_tournament';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER standing_needs_open_tournament AFTER INSERT OR UPDATE ON standing
    FOR EACH ROW EXECUTE FUNCTION standing_needs_open_tournament();

-- The final board of a settled tournament.
CREATE TABLE final_standing (
    tournament_id uuid    NOT NULL,
    -- From 1.
    rank          bigint  NOT NULL,
    player_id     uuid    NOT NULL,
    points        integer NOT NULL,
    trust         text    NOT NULL,
    CONSTRAINT final_standing_pkey PRIMARY KEY (tournament_id, rank),
    CONSTRAINT final_standing_player UNIQUE (tournament_id, player_id),
    CONSTRAINT final_standing_tournament FOREIGN KEY (tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
);
COMMENT ON TABLE final_standing IS 'Rows stay as long as their tournament.';

-- The awards that were given. No foreign key: they stay when their tournament is removed.
CREATE TABLE award_given (
    -- The award's id at svc-wallet.
    id            uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    rank          bigint      NOT NULL,
    player_id     uuid        NOT NULL,
    tier          text        NOT NULL,
    name          text        NOT NULL,
    cash_cents    bigint,
    given_at      timestamptz NOT NULL,
    CONSTRAINT award_given_pkey PRIMARY KEY (id)
);
CREATE INDEX award_given_tournament ON award_given (tournament_id, rank);
COMMENT ON TABLE award_given IS 'Rows stay for good: they are records of money that was given. At most 100 a tournament.';

-- The hall of fame.
CREATE TABLE fame (
    id            uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    title         text        NOT NULL,
    description   text        NOT NULL,
    -- The podium, the first first.
    member_ids    uuid[]      NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT fame_pkey PRIMARY KEY (id),
    CONSTRAINT fame_members CHECK (cardinality(member_ids) BETWEEN 1 AND 3)
);
CREATE INDEX fame_newest ON fame (created_at DESC, id DESC);
COMMENT ON TABLE fame IS 'Rows stay for good: one for each tournament that had players.';

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
    CONSTRAINT content_change_kind CHECK (kind IN ('Tournament')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

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
