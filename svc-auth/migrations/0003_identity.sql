-- A player: the person behind an account. What is null has not been told yet.
CREATE TABLE player (
    id            uuid PRIMARY KEY,
    name          text CONSTRAINT player_name_form CHECK (char_length(name) BETWEEN 1 AND 80),
    -- Kept in lower case, so that "compared without case" is plain equality.
    username      text
        CONSTRAINT player_username_key UNIQUE
        CONSTRAINT player_username_form CHECK (username ~ '^[a-z0-9_.]{3,20}$'),
    -- Contact data, not credentials: nobody signs in with these two.
    email         text CONSTRAINT player_email_form CHECK (char_length(email) <= 254),
    phone         text CONSTRAINT player_phone_form CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
    dob           date,
    gender        text CONSTRAINT player_gender_known CHECK (gender IN ('MALE', 'FEMALE', 'OTHER')),
    profile_pic   text,
    country_id    text CONSTRAINT player_country REFERENCES country (alpha2),
    currency_id   text CONSTRAINT player_currency REFERENCES currency (code),
    referral_code text NOT NULL
        CONSTRAINT player_referral_code_key UNIQUE
        CONSTRAINT player_referral_code_form CHECK (referral_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
    -- When the player first asked for the profile: that reply says "created".
    first_seen_at timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);

-- A way of signing in: an email with its password.
CREATE TABLE email_identity (
    player_id     uuid PRIMARY KEY
        -- Judged at commit: a sign-up claims the email before it makes the
        -- player, so that a taken email leaves nothing to undo.
        CONSTRAINT email_identity_player REFERENCES player (id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    email         text NOT NULL CONSTRAINT email_identity_form CHECK (char_length(email) <= 254),
    -- A PHC string with its own parameters, so that these can be raised later.
    password_hash text NOT NULL,
    created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX email_identity_email_key ON email_identity (lower(email));

-- A signing-in, with what judges the next refresh: the family of tokens that
-- descend from it is one row, locked while one of them is traded.
CREATE TABLE session (
    id            uuid PRIMARY KEY,
    player_id     uuid NOT NULL
        CONSTRAINT session_player REFERENCES player (id) ON DELETE CASCADE,
    -- SHA-256 of the refresh token that is good now, and of the one before it.
    current_hash  bytea NOT NULL
        CONSTRAINT session_current_form CHECK (octet_length(current_hash) = 32),
    previous_hash bytea CONSTRAINT session_previous_form CHECK (octet_length(previous_hash) = 32),
    rotated_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL,
    -- However busy, a session ends here.
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    ended_because text CONSTRAINT session_end_known CHECK (ended_because IN ('SIGNED_OUT', 'REUSED')),
    CONSTRAINT session_end_whole CHECK ((ended_at IS NULL) = (ended_because IS NULL))
);
CREATE INDEX session_player_id ON session (player_id);
CREATE INDEX session_expires_at ON session (expires_at);

-- Every refresh token ever given, by its hash: how a used one is recognised.
CREATE TABLE refresh_token (
    hash       bytea PRIMARY KEY CONSTRAINT refresh_token_form CHECK (octet_length(hash) = 32),
    session_id uuid NOT NULL
        CONSTRAINT refresh_token_session REFERENCES session (id) ON DELETE CASCADE
);
CREATE INDEX refresh_token_session_id ON refresh_token (session_id);

-- Captchas that were used, until they would have expired anyway.
CREATE TABLE used_captcha (
    signature  text PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_captcha_expires_at ON used_captcha (expires_at);

-- Failed sign-ins of an account within the window. The key is an HMAC of the
-- email, for known and unknown ones alike, so the table is no list of players.
CREATE TABLE sign_in_guard (
    account    bytea PRIMARY KEY CONSTRAINT sign_in_guard_form CHECK (octet_length(account) = 32),
    failures   timestamptz[] NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_guard_expires_at ON sign_in_guard (expires_at);
