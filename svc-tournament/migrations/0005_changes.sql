-- What boards in memory read to catch up, in a table of its own: an update of a standing changes
-- no indexed column any more, so that it stays on its page.

DROP TRIGGER standing_needs_open_tournament ON standing;
DROP FUNCTION standing_needs_open_tournament;
DROP INDEX standing_changed;
ALTER TABLE standing DROP COLUMN changed_xid;
ALTER TABLE standing SET (fillfactor = 80);

-- Each change of a standing, written in the transaction that changed it.
CREATE TABLE standing_change (
    tournament_id uuid        NOT NULL,
    changed_xid   bigint      NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    player_id     uuid        NOT NULL,
    -- Both null where the standing was removed.
    points        integer,
    reached_at    timestamptz,
    CONSTRAINT standing_change_pkey PRIMARY KEY (tournament_id, changed_xid, player_id),
    CONSTRAINT standing_change_score CHECK ((points IS NULL) = (reached_at IS NULL))
) WITH (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 20000
);
COMMENT ON TABLE standing_change IS 'Rows stay 15 to 30 minutes; the sweep removes them. A board in memory that is older is read anew.';

-- How far standing_change was swept. One row.
CREATE TABLE standing_sweep (
    is_only   boolean     NOT NULL DEFAULT true,
    -- Changes of transactions below it may be gone.
    swept_xid bigint      NOT NULL,
    -- What the next sweep takes: all transactions below it had ended at marked_at.
    next_xid  bigint      NOT NULL,
    marked_at timestamptz NOT NULL,
    CONSTRAINT standing_sweep_pkey PRIMARY KEY (is_only),
    CONSTRAINT standing_sweep_only CHECK (is_only)
);
INSERT INTO standing_sweep (swept_xid, next_xid, marked_at) VALUES (0, 0, to_timestamp(0));
COMMENT ON TABLE standing_sweep IS 'Its one row stays for good.';

-- The statement that writes scores saw their tournaments open, and may write after the close. The
-- check here has a snapshot of its own, taken when the transaction already has its id: what it
-- lets pass has an id below the tournament's closed_xid. It runs once a statement.
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
