-- A way of signing in: a phone that codes are sent to. Not the profile's phone,
-- which is contact data and may be anybody's.
CREATE TABLE phone_identity (
    player_id  uuid PRIMARY KEY
        -- Judged at commit, as email_identity_player is, and for the same reason.
        CONSTRAINT phone_identity_player REFERENCES player (id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    phone      text NOT NULL
        CONSTRAINT phone_identity_phone_key UNIQUE
        CONSTRAINT phone_identity_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$'),
    created_at timestamptz NOT NULL
);

-- A code that was sent. The code itself is nowhere: six digits could be found by
-- trying them all, so not even a plain hash of it is kept, but an HMAC that binds
-- it to this phone, this challenge and this purpose.
CREATE TABLE phone_challenge (
    id         uuid PRIMARY KEY,
    phone      text NOT NULL
        CONSTRAINT phone_challenge_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$'),
    code_mac   bytea NOT NULL
        CONSTRAINT phone_challenge_mac_form CHECK (octet_length(code_mac) = 32),
    -- Guesses so far, the right one too.
    tries      integer NOT NULL DEFAULT 0
        CONSTRAINT phone_challenge_tries CHECK (tries BETWEEN 0 AND 5),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Used, voided by a newer one, or never sent.
    ended_at   timestamptz
);
-- A newer code voids the older one.
CREATE UNIQUE INDEX phone_challenge_live ON phone_challenge (phone) WHERE ended_at IS NULL;
CREATE INDEX phone_challenge_expires_at ON phone_challenge (expires_at);

-- When codes were sent to a phone, within the longest of the windows that limit
-- them. The key is an HMAC of the number: this is kept longer than the challenge,
-- and need not say whose it is.
CREATE TABLE phone_guard (
    phone      bytea PRIMARY KEY CONSTRAINT phone_guard_form CHECK (octet_length(phone) = 32),
    sent       timestamptz[] NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX phone_guard_expires_at ON phone_guard (expires_at);

-- Codes sent in each hour, to all phones together: each costs money, and whoever
-- has numbers enough could spend it all.
CREATE TABLE sms_spent (
    hour timestamptz PRIMARY KEY,
    sent integer NOT NULL CONSTRAINT sms_spent_sent CHECK (sent >= 0)
);
