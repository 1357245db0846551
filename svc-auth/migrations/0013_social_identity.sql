-- A way of signing in: an account at a provider.
CREATE TABLE social_identity (
    provider   text NOT NULL
        CONSTRAINT social_identity_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK')),
    -- The provider's own name for the account. It never changes; an email does.
    subject    text NOT NULL CONSTRAINT social_identity_subject_form
        CHECK (char_length(subject) BETWEEN 1 AND 255),
    player_id  uuid NOT NULL CONSTRAINT social_identity_player REFERENCES player (id),
    -- The address that the provider vouches for; null when it vouches for none. In lower
    -- case. Whoever proves the same address elsewhere is the same player.
    email      text CONSTRAINT social_identity_email_form
        CHECK (char_length(email) <= 254 AND email = lower(email)),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE INDEX social_identity_player_id ON social_identity (player_id);
CREATE INDEX social_identity_email ON social_identity (email) WHERE email IS NOT NULL;

-- A browser that was sent to a provider and has not come back.
CREATE TABLE oauth_attempt (
    -- SHA-256 of the state in the URL, and of what only that browser keeps.
    state_hash   bytea PRIMARY KEY
        CONSTRAINT oauth_attempt_state_form CHECK (octet_length(state_hash) = 32),
    browser_hash bytea NOT NULL
        CONSTRAINT oauth_attempt_browser_form CHECK (octet_length(browser_hash) = 32),
    provider     text NOT NULL
        CONSTRAINT oauth_attempt_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK')),
    expires_at   timestamptz NOT NULL
);
CREATE INDEX oauth_attempt_expires_at ON oauth_attempt (expires_at);

-- A player who came back, and a code that trades for their session, once.
CREATE TABLE oauth_exchange (
    code_hash  bytea PRIMARY KEY
        CONSTRAINT oauth_exchange_code_form CHECK (octet_length(code_hash) = 32),
    player_id  uuid NOT NULL CONSTRAINT oauth_exchange_player REFERENCES player (id),
    -- The account was made on the way.
    is_new     boolean NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_exchange_expires_at ON oauth_exchange (expires_at);
CREATE INDEX oauth_exchange_player_id ON oauth_exchange (player_id);
