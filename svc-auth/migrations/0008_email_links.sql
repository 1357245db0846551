-- A link that was mailed: whoever opens it holds the address. Its token is in no
-- table: it is derived from the outbox row that asked for the mail, so a mail that
-- has to be sent twice has the same link twice.
CREATE TABLE email_link (
    hash       bytea PRIMARY KEY CONSTRAINT email_link_form CHECK (octet_length(hash) = 32),
    kind       text NOT NULL CONSTRAINT email_link_kind CHECK (kind IN ('RESET', 'CONFIRMATION')),
    player_id  uuid NOT NULL
        CONSTRAINT email_link_player REFERENCES player (id) ON DELETE CASCADE,
    -- Which address it proves.
    email      text NOT NULL CONSTRAINT email_link_email_form CHECK (char_length(email) <= 254),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Used or voided.
    ended_at   timestamptz
);
CREATE INDEX email_link_player_id ON email_link (player_id, kind, created_at);
CREATE INDEX email_link_expires_at ON email_link (expires_at);
