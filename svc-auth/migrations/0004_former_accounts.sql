-- An erased account whose player signed in with a phone. Who signs up with that phone within 90 days
-- gets the money that the account left. Later the number may be another person's.
CREATE TABLE former_account (
    player_id  uuid NOT NULL,
    -- The key is an HMAC of the number.
    phone      bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT former_account_pkey PRIMARY KEY (player_id),
    CONSTRAINT former_account_player FOREIGN KEY (player_id) REFERENCES player (id),
    CONSTRAINT former_account_form CHECK (octet_length(phone) = 32)
);
CREATE INDEX former_account_phone ON former_account (phone);
CREATE INDEX former_account_expires_at ON former_account (expires_at);
COMMENT ON TABLE former_account IS 'Rows stay until the phone signs up again, or 90 days after the erasure; the sign-up or the sweep job removes them.';
