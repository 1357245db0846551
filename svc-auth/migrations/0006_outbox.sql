-- What this service owes others; see mesh::outbox. Mails, first of all.
CREATE TABLE outbox (
    id          uuid        PRIMARY KEY,
    topic       text        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL
);

CREATE INDEX outbox_due ON outbox (topic, due_at);
