-- Accounts at a provider that join a player only after a mailed code.

ALTER TABLE social_identity ADD COLUMN proven boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN social_identity.proven IS 'Whether the address was proven to be this person''s: the provider runs the mailbox, or a mailed code came back. Without proof the address gives way to whoever has one.';
UPDATE social_identity SET proven = true WHERE provider = 'GOOGLE' AND email LIKE '%@gmail.com';

CREATE TABLE provider_join (
    provider     text NOT NULL
        CONSTRAINT provider_join_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK')),
    subject      text NOT NULL
        CONSTRAINT provider_join_subject_form CHECK (char_length(subject) BETWEEN 1 AND 255),
    -- The player who signs in with the address.
    player_id    uuid NOT NULL CONSTRAINT provider_join_player REFERENCES player (id),
    email        text NOT NULL CONSTRAINT provider_join_email_form
        CHECK (char_length(email) <= 254 AND email = lower(email)),
    -- SHA-256 of the exchange code of the newest sign-in.
    code_hash    bytea NOT NULL CONSTRAINT provider_join_code_key UNIQUE
        CONSTRAINT provider_join_code_form CHECK (octet_length(code_hash) = 32),
    expires_at   timestamptz NOT NULL,
    -- The newest mailed code, an HMAC of this id; null before the first.
    challenge_id uuid,
    tries        integer NOT NULL DEFAULT 0
        CONSTRAINT provider_join_tries CHECK (tries >= 0),
    -- When codes were mailed, oldest first, of those that count for the limits.
    sent         timestamptz[] NOT NULL DEFAULT '{}',
    kept_until   timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE INDEX provider_join_player_id ON provider_join (player_id);
CREATE INDEX provider_join_kept_until ON provider_join (kept_until);
COMMENT ON TABLE provider_join IS 'Rows stay until the accounts are joined, or a day after the newest sign-in or code; the joining, the sweep job or the erasure job removes them.';
