-- An award of money is screened, and paid when a hold is over, unless it waits for a review or is
-- refused. Rows from
-- before there were states have null in the new columns: they were paid.
ALTER TABLE award_given
    -- Null in an award without money.
    ADD COLUMN state          text,
    -- When a pending award is paid.
    ADD COLUMN due_at         timestamptz,
    -- The tournament's name, for the receipt: the tournament may be removed.
    ADD COLUMN tournament     text,
    -- The reservation that the award is paid from.
    ADD COLUMN reservation_id uuid,
    -- The idempotency key of the player's notifications.
    ADD COLUMN source         text,
    -- The transaction that created the tournament: one that is removed and applied again has the
    -- same id.
    ADD COLUMN created_xid    bigint,
    -- When the player is compared with the other winners next; null once that has passed.
    ADD COLUMN screen_at      timestamptz,
    -- Whether the award waits until its player has proven a phone.
    ADD COLUMN needs_phone    boolean NOT NULL DEFAULT false,
    -- For what the award was given: a place on the settled board, a run that was released late, or
    -- a place that its player moved up to.
    ADD COLUMN cause          text,
    ADD CONSTRAINT award_given_cause CHECK (cause IN ('PLACE', 'LATE', 'MOVED_UP')),
    ADD CONSTRAINT award_given_state CHECK (state IN ('PENDING', 'REVIEW', 'PAID', 'REFUSED')),
    ADD CONSTRAINT award_given_of_state CHECK (state IS NULL OR num_nulls(cash_cents, due_at,
        tournament, source, created_xid, cause) = 0);
COMMENT ON TABLE award_given IS 'Rows stay for good: they are records of money that was given. At most 100 a tournament by its settlement, as many for runs that operators released later, and 100 for each refusal.';
CREATE INDEX award_given_due ON award_given (due_at) WHERE state = 'PENDING' AND screen_at IS NULL;
CREATE INDEX award_given_screen_at ON award_given (screen_at)
    WHERE state IN ('PENDING', 'REVIEW') AND screen_at IS NOT NULL;
-- Operators list awards by state, the oldest first.
CREATE INDEX award_given_in_state ON award_given (state, id) WHERE state IS NOT NULL;

-- The audit of what operators decided about awards.
CREATE TABLE award_decision (
    award_id   uuid        NOT NULL REFERENCES award_given (id),
    -- The order of the decisions: two may be made in one millisecond, and replicas' clocks differ.
    seq        bigint      GENERATED ALWAYS AS IDENTITY,
    -- An operator's name, or SCREENING.
    operator   text        NOT NULL,
    -- PROPOSED is an approval that a second operator confirms.
    decision   text        NOT NULL,
    reason     text        NOT NULL,
    decided_at timestamptz NOT NULL,
    CONSTRAINT award_decision_pkey PRIMARY KEY (award_id, seq),
    CONSTRAINT award_decision_decision
        CHECK (decision IN ('REVIEW', 'PROPOSED', 'APPROVE', 'REFUSE'))
);
COMMENT ON TABLE award_decision IS 'Rows stay for good: the audit of what operators decided about prizes. Some hundred a year.';

-- When the run of a place began: its tier counts for the player who moves up to a prize. Null in
-- boards that were settled before. The release before this one reads began_at of standing beside
-- this table, so this column has another name.
ALTER TABLE final_standing ADD COLUMN run_began_at timestamptz;
