-- The outbox as mesh::outbox::TABLE has it, leases by the database's clock, and how long
-- the rows of each table stay.

-- A payment's change is published by Redis after the commit: it is a hint that may be
-- lost, and no outbox row any more.
DELETE FROM outbox WHERE topic = 'payment.changed';

ALTER TABLE outbox
    DROP CONSTRAINT outbox_pkey,
    ADD PRIMARY KEY (topic, id),
    -- Tries that ended without an outcome: their process died, or lost the database.
    ADD COLUMN crashes integer NOT NULL DEFAULT 0,
    -- Handed over, and not settled yet; due_at is the lease's end.
    ADD COLUMN leased boolean NOT NULL DEFAULT false,
    SET (
        fillfactor = 70,
        autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 10000,
        autovacuum_vacuum_cost_delay = 0
    );

CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;

-- Until when one replica queries Daraja about the push, by the database's clock. Before,
-- query_due_at held the lease, by the clock of the replica.
ALTER TABLE stk_push ADD COLUMN leased_until timestamptz;

-- The code calls this failure ProviderError.
UPDATE payment SET failure = 'PROVIDER_ERROR' WHERE failure = 'TROUBLE';

COMMENT ON TABLE account IS 'Rows stay for good: postings refer to them. Nothing removes them.';
COMMENT ON TABLE wallet IS 'Rows stay for good: one per player. Nothing removes them.';
COMMENT ON TABLE journal IS 'Rows stay for good: the ledger is append-only, and a trigger refuses what removes them.';
COMMENT ON TABLE posting IS 'Rows stay for good: the ledger is append-only, and a trigger refuses what removes them.';
COMMENT ON TABLE payment_method IS 'Rows stay until a migration removes them.';
COMMENT ON TABLE payment IS 'Rows stay for good: they are records of payment, which the law wants kept for years. Nothing removes them yet.';
COMMENT ON TABLE payment_event IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';
COMMENT ON TABLE stk_push IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';
COMMENT ON TABLE callback_inbox IS 'Rows stay for 90 days (INBOX_RETENTION) once they have an outcome; the job sweep removes them. One without an outcome stays until it has one.';
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';
