-- This schema holds tournaments with their awards, the boards of running and settled tournaments,
-- the awards that were given, the hall of fame, the audit of operators' changes, and the outbox.

-- A tournament is a contest in one game over a span of time. Operators publish it; the settlement
-- closes it after its end, freezes its board and gives its awards.
CREATE TABLE tournament (
    -- Players see this id. It is derived from the key.
    id                    uuid        NOT NULL,
    -- Operators name the tournament by this key.
    key                   text        NOT NULL,
    name                  text        NOT NULL,
    description           text        NOT NULL,
    -- game_id and game_key name the game at svc-games. They are checked when an operator applies
    -- the tournament.
    game_id               uuid        NOT NULL,
    game_key              text        NOT NULL DEFAULT '',
    level                 integer     NOT NULL DEFAULT 0,
    starts                timestamptz NOT NULL,
    ends                  timestamptz NOT NULL,
    rounds                integer     NOT NULL DEFAULT 1,
    runs_per_round        integer     NOT NULL DEFAULT 1,
    -- The seeds of the rounds are derived from the secret, which is never sent.
    secret                bytea       NOT NULL,
    -- fame_title and fame_description are the text of the entry in the hall of fame. The
    -- tournament's name and description take the place of empty ones.
    fame_title            text        NOT NULL DEFAULT '',
    fame_description      text        NOT NULL DEFAULT '',
    -- Holds the sum of the cash awards at the best tier of each position; null without cash. This
    -- column and first_award repeat what `award` has, because the list of tournaments shows them.
    cash_cents            bigint,
    -- Holds the name of the first position's award.
    first_award           text        NOT NULL DEFAULT '',
    created_at            timestamptz NOT NULL DEFAULT now(),
    -- Distinguishes this tournament from a removed one with the same key.
    created_xid           bigint      NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    -- Counts the players with a score. A job counts them while the tournament is on, and the
    -- settlement makes the count final.
    players               bigint      NOT NULL DEFAULT 0,
    -- Holds the cursor of the start notifications: the last player, by id, who was notified.
    start_notified_player uuid,
    -- Is true once all players of the game were notified of the start.
    start_notified        boolean     NOT NULL DEFAULT false,
    -- Since this time no score is recorded.
    closed_at             timestamptz,
    -- Names a transaction that began after the commit of closed_at. All scores are there once all
    -- transactions below it have ended.
    closed_xid            bigint,
    -- Since this time the board is final and its awards are given.
    settled_at            timestamptz,
    -- Holds the cursor of the result notifications: players up to this rank have theirs in the
    -- outbox.
    notified_rank         bigint      NOT NULL DEFAULT 0,
    CONSTRAINT tournament_pkey PRIMARY KEY (id),
    CONSTRAINT tournament_key UNIQUE (key),
    CONSTRAINT tournament_name CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT tournament_level CHECK (level >= 0),
    CONSTRAINT tournament_span CHECK (starts < ends),
    CONSTRAINT tournament_rounds CHECK (rounds BETWEEN 1 AND 100),
    CONSTRAINT tournament_runs CHECK (runs_per_round BETWEEN 1 AND 100),
    CONSTRAINT tournament_secret CHECK (octet_length(secret) = 32),
    CONSTRAINT tournament_cash CHECK (cash_cents > 0),
    -- closed_at comes first, then closed_xid, then settled_at.
    CONSTRAINT tournament_states CHECK ((closed_at IS NOT NULL OR closed_xid IS NULL)
        AND (closed_xid IS NOT NULL OR settled_at IS NULL)),
    CONSTRAINT tournament_notified CHECK (notified_rank BETWEEN 0 AND players)
);
-- The list of tournaments has this order, the latest start first. Ids break ties, so that the
-- order is stable.
CREATE INDEX tournament_in_order ON tournament (starts DESC, id);
-- Operators' pages of manifests have this order.
CREATE INDEX tournament_by_key ON tournament (key COLLATE "C");
-- The job that notifies players of a start finds tournaments by this index.
CREATE INDEX tournament_start_unnotified ON tournament (starts) WHERE NOT start_notified;
-- The settlement finds ended tournaments by this index.
CREATE INDEX tournament_unsettled ON tournament (ends) WHERE settled_at IS NULL;
-- The job that notifies players of results finds settled tournaments by this index.
CREATE INDEX tournament_unnotified ON tournament (settled_at)
    WHERE notified_rank < players AND settled_at IS NOT NULL;
COMMENT ON TABLE tournament IS 'Rows stay until an operator removes them.';

-- An award says what a position wins, for players of a tier.
CREATE TABLE award (
    tournament_id uuid    NOT NULL,
    position      integer NOT NULL,
    tier          text    NOT NULL,
    name          text    NOT NULL,
    -- An award without money has null here.
    cash_cents    bigint,
    CONSTRAINT award_pkey PRIMARY KEY (tournament_id, position, tier),
    CONSTRAINT award_tournament
        FOREIGN KEY (tournament_id) REFERENCES tournament (id) ON DELETE CASCADE,
    CONSTRAINT award_position CHECK (position BETWEEN 1 AND 100),
    CONSTRAINT award_tier CHECK (tier IN ('Bronze', 'Silver', 'Gold')),
    CONSTRAINT award_cash CHECK (cash_cents > 0)
);
COMMENT ON TABLE award IS 'Rows stay as long as their tournament.';

-- A standing is the best score of a player in a tournament that is not settled. It has no foreign
-- key, because checking one would lock the tournament's row for every score.
CREATE TABLE standing (
    tournament_id uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    points        integer     NOT NULL,
    -- Says what the score rests on: a replayed run (Proven), a result that the game's server
    -- signed (Signed), or neither (Claimed).
    trust         text        NOT NULL,
    reached_at    timestamptz NOT NULL,
    CONSTRAINT standing_pkey PRIMARY KEY (tournament_id, player_id),
    CONSTRAINT standing_trust CHECK (trust IN ('Proven', 'Signed', 'Claimed'))
) WITH (
    -- An update changes no indexed column, so it stays on its page when the page has room.
    fillfactor = 80
);
COMMENT ON TABLE standing IS 'Rows stay until the settlement of their tournament, which moves them to final_standing.';

-- A change of a standing is written in the transaction that changed it. Boards in memory read the
-- changes that they lack. The table is separate from `standing`, whose updates would otherwise
-- change an indexed column.
CREATE TABLE standing_change (
    tournament_id uuid        NOT NULL,
    -- Names the transaction that changed the standing.
    changed_xid   bigint      NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    player_id     uuid        NOT NULL,
    -- points and reached_at are the score after the change; both are null where the standing was
    -- removed.
    points        integer,
    reached_at    timestamptz,
    CONSTRAINT standing_change_pkey PRIMARY KEY (tournament_id, changed_xid, player_id),
    CONSTRAINT standing_change_score CHECK ((points IS NULL) = (reached_at IS NULL))
) WITH (
    -- The sweep removes every row, so autovacuum starts after a fixed number of dead rows,
    -- whatever the size of the table.
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 20000
);
COMMENT ON TABLE standing_change IS 'Rows stay 15 to 30 minutes; the sweep removes them. A board in memory that is older is read anew.';

-- The sweep mark records how far standing_change was swept.
CREATE TABLE standing_sweep (
    -- This key allows one row only.
    is_only   boolean     NOT NULL DEFAULT true,
    -- Changes of transactions below it may be gone.
    swept_xid bigint      NOT NULL,
    -- The next sweep takes the changes below it: all these transactions had ended at marked_at.
    next_xid  bigint      NOT NULL,
    marked_at timestamptz NOT NULL,
    CONSTRAINT standing_sweep_pkey PRIMARY KEY (is_only),
    CONSTRAINT standing_sweep_only CHECK (is_only)
);
COMMENT ON TABLE standing_sweep IS 'Rows stay for good: there is one.';

-- A final standing is a rank on the board of a settled tournament.
CREATE TABLE final_standing (
    tournament_id uuid    NOT NULL,
    -- Ranks begin at 1.
    rank          bigint  NOT NULL,
    player_id     uuid    NOT NULL,
    points        integer NOT NULL,
    trust         text    NOT NULL,
    CONSTRAINT final_standing_pkey PRIMARY KEY (tournament_id, rank),
    CONSTRAINT final_standing_player UNIQUE (tournament_id, player_id),
    CONSTRAINT final_standing_tournament
        FOREIGN KEY (tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
);
COMMENT ON TABLE final_standing IS 'Rows stay as long as their tournament.';

-- This table records the awards that settlements gave to players. It has no foreign key, because
-- its rows stay when their tournament is removed.
CREATE TABLE award_given (
    -- svc-wallet has the same id for the award.
    id            uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    rank          bigint      NOT NULL,
    player_id     uuid        NOT NULL,
    tier          text        NOT NULL,
    name          text        NOT NULL,
    -- An award without money has null here.
    cash_cents    bigint,
    given_at      timestamptz NOT NULL,
    CONSTRAINT award_given_pkey PRIMARY KEY (id)
);
-- The result notifications skip the players with an award, and find them by this index.
CREATE INDEX award_given_tournament ON award_given (tournament_id, rank);
COMMENT ON TABLE award_given IS 'Rows stay for good: they are records of money that was given. At most 100 a tournament.';

-- The hall of fame has an entry for each settled tournament that had players.
CREATE TABLE fame (
    id            uuid        NOT NULL,
    tournament_id uuid        NOT NULL,
    title         text        NOT NULL,
    description   text        NOT NULL,
    -- Lists the players of the podium in the order of their ranks.
    member_ids    uuid[]      NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT fame_pkey PRIMARY KEY (id),
    CONSTRAINT fame_members CHECK (cardinality(member_ids) BETWEEN 1 AND 3)
);
-- The list of entries has this order.
CREATE INDEX fame_newest ON fame (created_at DESC, id DESC);
COMMENT ON TABLE fame IS 'Rows stay for good: one for each tournament that had players.';

-- The audit of content records which operator changed which tournament.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    -- Holds the manifest after the change; null after a removal.
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('Tournament')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- The outbox holds the awards that svc-wallet is to pay and the notifications that svc-chat is to
-- store, until the relay delivers them. crates/mesh defines the table (src/outbox/table.sql).
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Counts the attempts that ended without an outcome, because their process died or lost the
    -- database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- Is true while a relay holds the row and has not settled it; due_at is then the lease's end.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The row became a dead letter at this time; null for a row that is still to be delivered.
    parked_at   timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (topic, id)
) WITH (
    -- Every attempt updates its row, so pages keep room for updates.
    fillfactor = 70,
    -- Rows come and go fast, so autovacuum starts after a fixed number of changes, whatever the
    -- size of the table, and does not pause.
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
-- The relay finds due rows by this index.
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
-- This index finds the dead letters of a topic.
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';

-- Refuses scores of a closed tournament. The statement that writes scores saw their tournaments
-- open, and may write after the close. This check has a snapshot of its own, taken when the
-- transaction already has its id: a transaction that it lets pass has an id below the
-- tournament's closed_xid. The trigger runs once a statement.
CREATE FUNCTION standing_needs_open_tournament() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT tournament_id FROM added WHERE points IS NOT NULL) AS scored
        WHERE NOT EXISTS (
            SELECT FROM tournament WHERE id = scored.tournament_id AND closed_at IS NULL
        )
    ) THEN
        RAISE EXCEPTION 'a tournament takes no more scores'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'standing_needs_open_tournament';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER standing_needs_open_tournament AFTER INSERT ON standing_change
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION standing_needs_open_tournament();

-- The sweep updates this row and never inserts one.
INSERT INTO standing_sweep (swept_xid, next_xid, marked_at) VALUES (0, 0, to_timestamp(0));
