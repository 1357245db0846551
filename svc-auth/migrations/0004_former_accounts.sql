-- An erased account whose player signed in with a phone. A sign-up with that phone gets the money that
-- the account left, within 60 days of the last use of a device that money may leave by. Later the
-- number may be another person's.
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
COMMENT ON TABLE former_account IS 'Rows stay until the phone signs up again, or 60 days after a device was last in use that money may leave by; the sign-up or the sweep job removes them.';
