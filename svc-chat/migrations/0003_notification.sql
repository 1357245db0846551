-- What services told players: the list behind the bell, and its unread mark. A kind and its
-- parameters, because the words depend on the language of the one who reads.

CREATE TABLE notification (
    player_id   uuid        NOT NULL,
    id          uuid        NOT NULL,
    -- No list of the kinds: one is added with each feature, and a replica that does not know
    -- it yet leaves it out.
    kind        text        NOT NULL,
    -- Texts by name.
    params      jsonb       NOT NULL,
    -- The service that notified, and what caused it, as that service names it.
    caller      text        NOT NULL,
    source      text        NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    read_at     timestamptz,
    -- Newest first, in pages: ids sort by the time of their storage.
    CONSTRAINT notification_pkey PRIMARY KEY (player_id, id),
    -- A call that is repeated stores nothing.
    CONSTRAINT notification_source UNIQUE (caller, source),
    CONSTRAINT notification_kind CHECK (length(kind) BETWEEN 1 AND 60),
    CONSTRAINT notification_source_length CHECK (length(source) BETWEEN 1 AND 255),
    CONSTRAINT notification_params CHECK (jsonb_typeof(params) = 'object')
);
-- The number of unread ones, and marking all of them.
CREATE INDEX notification_unread ON notification (player_id) WHERE read_at IS NULL;
-- For the sweep.
CREATE INDEX notification_by_age ON notification (created_at);
COMMENT ON TABLE notification IS 'Rows stay for 90 days (NOTIFICATION_RETENTION), read or not; the job that sweeps removes them.';
