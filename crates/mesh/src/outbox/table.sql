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
