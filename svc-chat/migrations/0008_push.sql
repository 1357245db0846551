-- Web Push: which browsers notifications are delivered to, and what players want of it.

CREATE TABLE push_subscription (
    id           uuid        PRIMARY KEY,
    player_id    uuid        NOT NULL,
    -- Of the session that registered or refreshed it last.
    session_id   uuid        NOT NULL,
    -- Where the browser's push service takes messages. Who has it can send there, with the
    -- key of VAPID that the browser subscribed with.
    endpoint     text        NOT NULL,
    -- The browser's public key and its secret (RFC 8291).
    p256dh       bytea       NOT NULL,
    auth         bytea       NOT NULL,
    language     text        NOT NULL,
    created_at   timestamptz NOT NULL,
    refreshed_at timestamptz NOT NULL,
    -- Failed deliveries in a row, and when the next one may be tried.
    failures     integer     NOT NULL DEFAULT 0,
    retry_at     timestamptz,
    CONSTRAINT push_subscription_endpoint UNIQUE (endpoint),
    CONSTRAINT push_subscription_endpoint_length CHECK (length(endpoint) BETWEEN 1 AND 1000),
    CONSTRAINT push_subscription_p256dh CHECK (length(p256dh) = 65),
    CONSTRAINT push_subscription_auth CHECK (length(auth) = 16),
    CONSTRAINT push_subscription_language CHECK (language IN ('en', 'sw'))
);
-- Those of a player, the latest first.
CREATE INDEX push_subscription_of_player ON push_subscription (player_id, refreshed_at DESC);
-- For the sweep.
CREATE INDEX push_subscription_by_age ON push_subscription (refreshed_at);
COMMENT ON TABLE push_subscription IS 'Rows stay until the player signs out or switches push off, the push service answers 404 or 410, or nothing refreshed them for 60 days (PUSH_SUBSCRIPTION_RETENTION); the job that sweeps push subscriptions removes the last.';

CREATE TABLE notification_setting (
    player_id   uuid        PRIMARY KEY,
    -- The topics that are not pushed.
    muted       text[]      NOT NULL,
    -- Minutes after midnight in Africa/Nairobi; null: no quiet hours.
    quiet_from  smallint,
    quiet_until smallint,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT notification_setting_muted CHECK (cardinality(muted) <= 20),
    CONSTRAINT notification_setting_quiet CHECK (
        (quiet_from IS NULL) = (quiet_until IS NULL)
        AND quiet_from BETWEEN 0 AND 1439
        AND quiet_until BETWEEN 0 AND 1439
        AND quiet_from <> quiet_until
    )
);
COMMENT ON TABLE notification_setting IS 'Rows stay as long as their player: one small row for each player who changed a setting.';

-- The outbox of crates/mesh (src/outbox/table.sql), unless another migration has made it.
CREATE TABLE IF NOT EXISTS outbox (
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
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
CREATE INDEX IF NOT EXISTS outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';
