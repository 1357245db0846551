-- This schema holds, in this order: the ISO codes that profiles name; players and their referrals;
-- the ways in which players sign in; sessions; devices; codes, links and provider sign-ins in
-- progress; the counts that limit these; and the outbox. The ISO codes themselves follow at the
-- end.
--
-- A device is known to a player who has signed in on it. A stranger is a client on any other
-- device. Limits count the two apart, so that strangers cannot lock a player out.

-- This table lists the countries of ISO 3166-1, which a profile may name. ISO assigns the codes, so
-- the service never writes them.
CREATE TABLE country (
    alpha2 text NOT NULL,
    alpha3 text NOT NULL,
    name   text NOT NULL,
    -- The region is the United Nations' continental one (M49).
    region text NOT NULL,
    CONSTRAINT country_pkey PRIMARY KEY (alpha2),
    CONSTRAINT country_alpha3_key UNIQUE (alpha3),
    CONSTRAINT country_alpha2_form CHECK (alpha2 ~ '^[A-Z]{2}$'),
    CONSTRAINT country_alpha3_form CHECK (alpha3 ~ '^[A-Z]{3}$'),
    CONSTRAINT country_region_known
        CHECK (region IN ('Africa', 'Americas', 'Antarctica', 'Asia', 'Europe', 'Oceania'))
);
COMMENT ON TABLE country IS 'Rows stay for good; migrations write them.';

-- This table lists the currencies of ISO 4217, which a profile may name. The service never writes
-- them either.
CREATE TABLE currency (
    code       text NOT NULL,
    name       text NOT NULL,
    -- The code's first two letters name this country. Null where no single country issues the
    -- currency (EUR, XAF, XAU).
    country_id text,
    CONSTRAINT currency_pkey PRIMARY KEY (code),
    CONSTRAINT currency_country FOREIGN KEY (country_id) REFERENCES country (alpha2),
    CONSTRAINT currency_code_form CHECK (code ~ '^[A-Z]{3}$')
);
COMMENT ON TABLE currency IS 'Rows stay for good; migrations write them.';

-- A player is the person behind an account. A profile field is null until the player, or a provider
-- at the first sign-in, has given it.
--
-- A player who asks for deletion disappears from every public reply at once, comes back by any
-- sign-in, and is erased at deletion_due_at. Erasure keeps the row, because ledgers, scores and
-- referrals refer to its id.
CREATE TABLE player (
    id              uuid NOT NULL,
    name            text,
    -- Usernames are kept in lower case, so that a comparison without case is plain equality.
    username        text,
    -- Email and phone are contact data, not credentials: no sign-in reads them.
    email           text,
    phone           text,
    dob             date,
    gender          text,
    profile_pic     text,
    country_id      text,
    currency_id     text,
    referral_code   text NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    -- The player first read the profile at this time. That reply says "created".
    first_seen_at   timestamptz,
    -- A device by which money may leave was last in use at this time, before it was removed from
    -- known_device. After a long absence the player's phone number may be another person's, so the
    -- codes that it receives no longer let money leave.
    money_seen_at   timestamptz,
    deletion_due_at timestamptz,
    erased_at       timestamptz,
    CONSTRAINT player_pkey PRIMARY KEY (id),
    CONSTRAINT player_username_key UNIQUE (username),
    CONSTRAINT player_referral_code_key UNIQUE (referral_code),
    CONSTRAINT player_country FOREIGN KEY (country_id) REFERENCES country (alpha2),
    CONSTRAINT player_currency FOREIGN KEY (currency_id) REFERENCES currency (code),
    CONSTRAINT player_name_form CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT player_username_form CHECK (username ~ '^[a-z0-9_.]{3,20}$'),
    CONSTRAINT player_email_form CHECK (char_length(email) <= 254),
    CONSTRAINT player_phone_form CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
    CONSTRAINT player_gender_known CHECK (gender IN ('MALE', 'FEMALE', 'OTHER')),
    CONSTRAINT player_referral_code_form CHECK (referral_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
    CONSTRAINT player_erased_when_due
        CHECK (erased_at IS NULL OR (deletion_due_at IS NOT NULL AND erased_at >= deletion_due_at)),
    -- The database enforces what erasure promises.
    CONSTRAINT player_erased_empty CHECK (
        erased_at IS NULL
        OR num_nonnulls(name, username, email, phone, dob, gender, profile_pic, country_id,
                        currency_id) = 0)
);
-- The media store asks by address which pictures no profile has.
CREATE INDEX player_profile_pic ON player (profile_pic) WHERE profile_pic IS NOT NULL;
-- The erasure job reads the players whose erasure is due.
CREATE INDEX player_deletion_due_at ON player (deletion_due_at)
    WHERE deletion_due_at IS NOT NULL AND erased_at IS NULL;
-- Other services ask for the erased players in the order of their erasure.
CREATE INDEX player_erased_at ON player (erased_at, id) WHERE erased_at IS NOT NULL;
COMMENT ON TABLE player IS 'Rows stay for good, because ledgers, scores and referrals refer to their ids; the erasure job clears the personal data.';

-- A referral records whose code a player entered. A player enters a code once. The row stays when
-- either of the two is erased, because it holds no personal data.
CREATE TABLE referral (
    invitee_id uuid NOT NULL,
    inviter_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT referral_pkey PRIMARY KEY (invitee_id),
    CONSTRAINT referral_invitee FOREIGN KEY (invitee_id) REFERENCES player (id),
    CONSTRAINT referral_inviter FOREIGN KEY (inviter_id) REFERENCES player (id),
    CONSTRAINT referral_not_own CHECK (inviter_id <> invitee_id)
);
CREATE INDEX referral_inviter_id ON referral (inviter_id);
COMMENT ON TABLE referral IS 'Rows stay for good, and hold no personal data.';

-- An email identity lets a player sign in with an email and a password.
CREATE TABLE email_identity (
    player_id     uuid NOT NULL,
    email         text NOT NULL,
    -- A PHC string contains its own parameters, so that they can be raised later.
    password_hash text NOT NULL,
    -- The player proved to hold the address at this time; null without proof. An account at a
    -- provider with the same verified email joins only a proven identity. A sign-up proves nothing:
    -- anyone can register another person's address, and would then share the account with its true
    -- owner.
    verified_at   timestamptz,
    created_at    timestamptz NOT NULL,
    -- This session changed the password last, at that time. A change whose reply was lost is
    -- repeated by the same session and succeeds again.
    changed_by    uuid,
    changed_at    timestamptz,
    CONSTRAINT email_identity_pkey PRIMARY KEY (player_id),
    -- The check waits for the commit: a sign-up claims the email before it inserts the player, so
    -- that a taken email leaves nothing to undo.
    CONSTRAINT email_identity_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT email_identity_form CHECK (char_length(email) <= 254),
    CONSTRAINT email_identity_change_whole CHECK ((changed_by IS NULL) = (changed_at IS NULL))
);
CREATE UNIQUE INDEX email_identity_email_key ON email_identity (lower(email));
COMMENT ON TABLE email_identity IS 'Rows stay until the player is erased or another person verifies the address; the erasure job or a sign-in with a provider removes them.';

-- A phone identity lets a player sign in with codes that are sent to the phone. player.phone is
-- another thing: contact data, which may be any person's number.
CREATE TABLE phone_identity (
    player_id  uuid NOT NULL,
    phone      text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT phone_identity_pkey PRIMARY KEY (player_id),
    CONSTRAINT phone_identity_phone_key UNIQUE (phone),
    -- The check waits for the commit, as that of email_identity_player does.
    CONSTRAINT phone_identity_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT phone_identity_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$')
);
COMMENT ON TABLE phone_identity IS 'Rows stay until the player is erased; the erasure job removes them.';

-- A social identity lets a player sign in with an account at a provider.
CREATE TABLE social_identity (
    provider   text NOT NULL,
    -- The subject is the provider's id of the account. It never changes, whereas an email does.
    subject    text NOT NULL,
    player_id  uuid NOT NULL,
    -- The provider has verified this address, which is in lower case; null when it verifies none. A
    -- person who proves the same address elsewhere is the same player.
    email      text,
    proven     boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    CONSTRAINT social_identity_pkey PRIMARY KEY (provider, subject),
    CONSTRAINT social_identity_player FOREIGN KEY (player_id) REFERENCES player (id),
    CONSTRAINT social_identity_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK')),
    CONSTRAINT social_identity_subject_form CHECK (char_length(subject) BETWEEN 1 AND 255),
    CONSTRAINT social_identity_email_form
        CHECK (char_length(email) <= 254 AND email = lower(email))
);
CREATE INDEX social_identity_player_id ON social_identity (player_id);
CREATE INDEX social_identity_email ON social_identity (email) WHERE email IS NOT NULL;
COMMENT ON TABLE social_identity IS 'Rows stay until the player is erased; the erasure job removes them.';
COMMENT ON COLUMN social_identity.proven IS 'Whether the address was proven to be this person''s: the provider runs the mailbox, or a mailed code came back. Without proof the address gives way to whoever has one.';

-- A session begins with a sign-in. All refresh tokens that descend from that sign-in are one
-- family. The row decides about the next refresh, and is locked while a token is exchanged.
CREATE TABLE session (
    id             uuid NOT NULL,
    player_id      uuid NOT NULL,
    -- These are SHA-256 of the valid refresh token, and of the token that was exchanged for it.
    current_hash   bytea NOT NULL,
    previous_hash  bytea,
    rotated_at     timestamptz NOT NULL,
    -- This device exchanged the previous token. Only this device is given the same successor again.
    -- Null for a client without a device token.
    rotated_on     uuid,
    -- Counts the refresh token rotations. Each leaves a row in refresh_token.
    rotations      integer NOT NULL DEFAULT 0,
    -- True if the player stays signed in on this device after the browser is closed.
    stay_signed_in boolean NOT NULL DEFAULT false,
    created_at     timestamptz NOT NULL,
    -- The session ends at this time, however much it is used.
    expires_at     timestamptz NOT NULL,
    -- The session was ended at this time, before it expired, by the clock of the replica that ended
    -- it. A player has a limited number of sessions; one more displaces the session used longest
    -- ago.
    ended_at       timestamptz,
    ended_because  text,
    -- The end was written at this time, by Postgres' clock. Replicas read the ended sessions in
    -- this order, because their own clocks differ.
    end_noted_at   timestamptz,
    CONSTRAINT session_pkey PRIMARY KEY (id),
    CONSTRAINT session_player FOREIGN KEY (player_id) REFERENCES player (id) ON DELETE CASCADE,
    CONSTRAINT session_current_form CHECK (octet_length(current_hash) = 32),
    CONSTRAINT session_previous_form CHECK (octet_length(previous_hash) = 32),
    CONSTRAINT session_rotations CHECK (rotations >= 0),
    CONSTRAINT session_end_known CHECK (ended_because IN (
        'SIGNED_OUT', 'SIGNED_OUT_EVERYWHERE', 'REUSED', 'DISPLACED',
        'PASSWORD_CHANGED', 'PASSWORD_RESET', 'ACCOUNT_JOINED', 'ACCOUNT_DELETED')),
    CONSTRAINT session_end_whole CHECK ((ended_at IS NULL) = (ended_because IS NULL))
);
CREATE INDEX session_player_id ON session (player_id);
-- A player's open sessions are found without reading the ended ones, however many these are.
CREATE INDEX session_open ON session (player_id) WHERE ended_at IS NULL;
-- The sweep job reads the expired and the ended sessions.
CREATE INDEX session_expires_at ON session (expires_at);
CREATE INDEX session_ended_at ON session (ended_at) WHERE ended_at IS NOT NULL;
-- Every replica asks four times a second which sessions have ended.
CREATE INDEX session_end_noted_at ON session (end_noted_at) WHERE end_noted_at IS NOT NULL;
COMMENT ON TABLE session IS 'Rows stay until the session expires, or until its access tokens have expired after it ended; the sweep job or the erasure job removes them.';

-- Every refresh token that was issued leaves its hash here, by which a used token is recognised.
CREATE TABLE refresh_token (
    -- The hash is SHA-256 of the token.
    hash       bytea NOT NULL,
    session_id uuid NOT NULL,
    CONSTRAINT refresh_token_pkey PRIMARY KEY (hash),
    CONSTRAINT refresh_token_session FOREIGN KEY (session_id) REFERENCES session (id)
        ON DELETE CASCADE,
    CONSTRAINT refresh_token_form CHECK (octet_length(hash) = 32)
);
CREATE INDEX refresh_token_session_id ON refresh_token (session_id);
COMMENT ON TABLE refresh_token IS 'Rows stay as long as their session; the sweep job removes them before it.';

-- A known device is one that a player has signed in on. Limits count strangers who fail at the
-- player's account, or request codes for the player's phone, apart from these devices. Money leaves
-- the wallet only by a known device whose money_from has passed.
CREATE TABLE known_device (
    player_id     uuid NOT NULL,
    -- The browser's token contains an HMAC of this id, so the id alone opens nothing.
    device_id     uuid NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at  timestamptz NOT NULL,
    -- Money may leave the wallet by this device from this time on.
    money_from    timestamptz,
    CONSTRAINT known_device_pkey PRIMARY KEY (player_id, device_id),
    CONSTRAINT known_device_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE
);
CREATE INDEX known_device_last_seen_at ON known_device (last_seen_at);
COMMENT ON TABLE known_device IS 'Rows stay until the device has not been used for 400 days; the sweep job removes them. An erasure, a new password and a sign-out everywhere remove them sooner.';
COMMENT ON COLUMN known_device.money_from IS 'Null until the player has confirmed the device.';

-- A device challenge is the mailed code by which a player confirms a device. The code is an HMAC of
-- challenge_id, so no table contains it.
CREATE TABLE device_challenge (
    player_id    uuid NOT NULL,
    -- This id belongs to the newest code, which voids the code before it.
    challenge_id uuid NOT NULL,
    tries        integer NOT NULL DEFAULT 0,
    -- This device used the code. A retry of the same device succeeds.
    used_by      uuid,
    expires_at   timestamptz NOT NULL,
    -- The codes that count for the limits were sent at these times, oldest first.
    sent         timestamptz[] NOT NULL,
    kept_until   timestamptz NOT NULL,
    CONSTRAINT device_challenge_pkey PRIMARY KEY (player_id),
    CONSTRAINT device_challenge_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE,
    CONSTRAINT device_challenge_tries CHECK (tries >= 0)
);
CREATE INDEX device_challenge_kept_until ON device_challenge (kept_until);
COMMENT ON TABLE device_challenge IS 'Rows stay until no code of the player counts for a limit, a day after the last; the sweep job removes them.';

-- A device approval is an operator's confirmation of a device, for a player who cannot confirm it.
CREATE TABLE device_approval (
    id        uuid        NOT NULL,
    player_id uuid        NOT NULL,
    device_id uuid        NOT NULL,
    operator  text        NOT NULL,
    reason    text        NOT NULL,
    at        timestamptz NOT NULL,
    CONSTRAINT device_approval_pkey PRIMARY KEY (id),
    CONSTRAINT device_approval_reason CHECK (char_length(reason) BETWEEN 1 AND 500)
);
COMMENT ON TABLE device_approval IS 'Rows stay for good: the audit of what operators did for players. Some hundred a year.';

-- A phone challenge is a code that was sent to a phone. The code itself is not stored, nor a plain
-- hash of it, because six digits can be found by trying all. The stored HMAC binds the code to this
-- phone, this challenge and signing in.
CREATE TABLE phone_challenge (
    id              uuid NOT NULL,
    phone           text NOT NULL,
    code_mac        bytea NOT NULL,
    -- Strangers get long codes while strangers make many wrong guesses at the codes of all phones.
    long            boolean NOT NULL DEFAULT false,
    -- True if a device that is known to the phone's owner asked for the code. A code for a stranger
    -- does not void the code for such a device.
    by_known_device boolean NOT NULL DEFAULT false,
    -- Counts the guesses, including the right one.
    tries           integer NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    -- The code was used, was voided by a newer one, or could not be sent, at this time.
    ended_at        timestamptz,
    CONSTRAINT phone_challenge_pkey PRIMARY KEY (id),
    CONSTRAINT phone_challenge_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$'),
    CONSTRAINT phone_challenge_mac_form CHECK (octet_length(code_mac) = 32),
    CONSTRAINT phone_challenge_tries CHECK (tries BETWEEN 0 AND 5)
);
-- A newer code voids the older one.
CREATE UNIQUE INDEX phone_challenge_live ON phone_challenge (phone, by_known_device)
    WHERE ended_at IS NULL;
CREATE INDEX phone_challenge_expires_at ON phone_challenge (expires_at);
COMMENT ON TABLE phone_challenge IS 'Rows stay until the code expires; the sweep job removes them.';
COMMENT ON COLUMN phone_challenge.long IS 'Nine digits, not six.';

-- An email link was mailed, and proves that the person who opens it holds the address. Its token is
-- derived from the outbox row that asked for the mail, so that a mail that is sent twice has the
-- same link. No table contains the token.
CREATE TABLE email_link (
    -- The hash is SHA-256 of the token.
    hash       bytea NOT NULL,
    kind       text NOT NULL,
    player_id  uuid NOT NULL,
    -- The link proves this address.
    email      text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- The link was used or voided at this time.
    ended_at   timestamptz,
    CONSTRAINT email_link_pkey PRIMARY KEY (hash),
    CONSTRAINT email_link_player FOREIGN KEY (player_id) REFERENCES player (id) ON DELETE CASCADE,
    CONSTRAINT email_link_form CHECK (octet_length(hash) = 32),
    CONSTRAINT email_link_kind CHECK (kind IN ('RESET', 'CONFIRMATION')),
    CONSTRAINT email_link_email_form CHECK (char_length(email) <= 254)
);
CREATE INDEX email_link_player_id ON email_link (player_id, kind, created_at);
CREATE INDEX email_link_expires_at ON email_link (expires_at);
COMMENT ON TABLE email_link IS 'Rows stay until an hour after the link expires; the sweep job or the erasure job removes them.';

-- An OAuth attempt is a browser that was sent to a provider and has not returned.
CREATE TABLE oauth_attempt (
    -- These are SHA-256 of the state in the URL, and of the secret that only this browser keeps.
    state_hash   bytea NOT NULL,
    browser_hash bytea NOT NULL,
    provider     text NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT oauth_attempt_pkey PRIMARY KEY (state_hash),
    CONSTRAINT oauth_attempt_state_form CHECK (octet_length(state_hash) = 32),
    CONSTRAINT oauth_attempt_browser_form CHECK (octet_length(browser_hash) = 32),
    CONSTRAINT oauth_attempt_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK'))
);
CREATE INDEX oauth_attempt_expires_at ON oauth_attempt (expires_at);
COMMENT ON TABLE oauth_attempt IS 'Rows stay until the browser returns or the attempt expires; the return or the sweep job removes them.';

-- An OAuth exchange is a player who returned from a provider, with a code that opens one session.
CREATE TABLE oauth_exchange (
    -- The hash is SHA-256 of the code.
    code_hash  bytea NOT NULL,
    player_id  uuid NOT NULL,
    -- True if this sign-in created the account.
    is_new     boolean NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT oauth_exchange_pkey PRIMARY KEY (code_hash),
    CONSTRAINT oauth_exchange_player FOREIGN KEY (player_id) REFERENCES player (id),
    CONSTRAINT oauth_exchange_code_form CHECK (octet_length(code_hash) = 32)
);
CREATE INDEX oauth_exchange_player_id ON oauth_exchange (player_id);
CREATE INDEX oauth_exchange_expires_at ON oauth_exchange (expires_at);
COMMENT ON TABLE oauth_exchange IS 'Rows stay until the code is exchanged or expires; the exchange or the sweep job removes them.';

-- A provider join is an account at a provider that joins a player only after a mailed code, because
-- the provider does not run the mailbox.
CREATE TABLE provider_join (
    provider     text NOT NULL,
    subject      text NOT NULL,
    -- This player signs in with the address.
    player_id    uuid NOT NULL,
    email        text NOT NULL,
    -- The hash is SHA-256 of the exchange code of the newest sign-in.
    code_hash    bytea NOT NULL,
    expires_at   timestamptz NOT NULL,
    -- The newest mailed code is an HMAC of this id; null before the first.
    challenge_id uuid,
    tries        integer NOT NULL DEFAULT 0,
    -- The codes that count for the limits were mailed at these times, oldest first.
    sent         timestamptz[] NOT NULL DEFAULT '{}',
    kept_until   timestamptz NOT NULL,
    CONSTRAINT provider_join_pkey PRIMARY KEY (provider, subject),
    CONSTRAINT provider_join_code_key UNIQUE (code_hash),
    CONSTRAINT provider_join_player FOREIGN KEY (player_id) REFERENCES player (id),
    CONSTRAINT provider_join_provider_known CHECK (provider IN ('GOOGLE', 'FACEBOOK')),
    CONSTRAINT provider_join_subject_form CHECK (char_length(subject) BETWEEN 1 AND 255),
    CONSTRAINT provider_join_email_form CHECK (char_length(email) <= 254 AND email = lower(email)),
    CONSTRAINT provider_join_code_form CHECK (octet_length(code_hash) = 32),
    CONSTRAINT provider_join_tries CHECK (tries >= 0)
);
CREATE INDEX provider_join_player_id ON provider_join (player_id);
CREATE INDEX provider_join_kept_until ON provider_join (kept_until);
COMMENT ON TABLE provider_join IS 'Rows stay until the accounts are joined, or a day after the newest sign-in or code; the joining, the sweep job or the erasure job removes them.';

-- A row counts the failed sign-ins of an account, which limits guessing at its password. Emails
-- without an account are counted too, and the key is an HMAC, so the table is no list of players.
CREATE TABLE sign_in_rate_limit (
    -- The key is an HMAC of the email. The known devices of the account and strangers have one key
    -- each.
    account       bytea NOT NULL,
    -- These failures are within the longest window, oldest first.
    failures      timestamptz[] NOT NULL,
    -- Counts the failures since the last success or reset.
    failed        integer NOT NULL DEFAULT 0,
    expires_at    timestamptz NOT NULL,
    CONSTRAINT sign_in_rate_limit_pkey PRIMARY KEY (account),
    CONSTRAINT sign_in_rate_limit_form CHECK (octet_length(account) = 32),
    CONSTRAINT sign_in_rate_limit_failed CHECK (failed >= 0)
);
CREATE INDEX sign_in_rate_limit_expires_at ON sign_in_rate_limit (expires_at);
COMMENT ON TABLE sign_in_rate_limit IS 'Rows stay until a sign-in succeeds or the password is reset; the sweep job removes those without a failure for 90 days.';

-- A row has the times of the codes that were sent to a phone within the longest window that limits
-- them. It stays longer than the challenges and need not say whose number it counts, so the key is
-- an HMAC.
CREATE TABLE code_rate_limit (
    -- The key is an HMAC of the number. The known devices of the phone's owner and strangers have
    -- one key each.
    phone      bytea NOT NULL,
    -- The codes were sent at these times, oldest first.
    sent       timestamptz[] NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT code_rate_limit_pkey PRIMARY KEY (phone),
    CONSTRAINT code_rate_limit_form CHECK (octet_length(phone) = 32)
);
CREATE INDEX code_rate_limit_expires_at ON code_rate_limit (expires_at);
COMMENT ON TABLE code_rate_limit IS 'Rows stay until a day after the last code; the sweep job removes them.';

-- A row counts the codes that were sent to all phones together in an hour, and the wrong guesses at
-- them. Each code costs money, and an attacker with enough numbers could spend all of it.
CREATE TABLE sms_spent (
    hour    timestamptz NOT NULL,
    sent    integer NOT NULL,
    -- Counts the codes for phones without an account, which may use half of the hour's and of the
    -- day's budget.
    strange integer NOT NULL DEFAULT 0,
    -- The count is negative in an hour whose right guesses took back wrong ones of the hour before.
    wrong   integer NOT NULL DEFAULT 0,
    CONSTRAINT sms_spent_pkey PRIMARY KEY (hour),
    CONSTRAINT sms_spent_sent CHECK (sent >= 0),
    CONSTRAINT sms_spent_strange CHECK (strange BETWEEN 0 AND sent)
);
COMMENT ON TABLE sms_spent IS 'Rows stay for a day; the sweep job removes them.';
COMMENT ON COLUMN sms_spent.wrong IS 'Wrong guesses of strangers, without those that the right one followed.';

-- A row counts the mails that were sent to all addresses together in an hour. Other mail servers
-- soon refuse a server that mails people who did not ask for it.
CREATE TABLE mail_spent (
    hour    timestamptz NOT NULL,
    sent    integer NOT NULL,
    -- Counts the mails to addresses that a sign-up named, which may use half of the hour's budget.
    strange integer NOT NULL,
    CONSTRAINT mail_spent_pkey PRIMARY KEY (hour),
    CONSTRAINT mail_spent_sent CHECK (sent >= 0),
    CONSTRAINT mail_spent_strange CHECK (strange BETWEEN 0 AND sent)
);
COMMENT ON TABLE mail_spent IS 'Rows stay for a day; the sweep job removes them.';

-- A used captcha is a solution that was spent, so that it pays once. An expired captcha is refused
-- without its row.
CREATE TABLE used_captcha (
    signature  text NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT used_captcha_pkey PRIMARY KEY (signature)
);
CREATE INDEX used_captcha_expires_at ON used_captcha (expires_at);
COMMENT ON TABLE used_captcha IS 'Rows stay until the captcha expires; the sweep job removes them.';

-- The outbox of crates/mesh (src/outbox/table.sql) holds the mails that are to be sent.
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Counts the attempts that ended without an outcome, because their process died or lost the
    -- database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- True while a relay has the row and has not settled it. Then due_at is the end of the lease.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The row became a dead letter at this time; null before.
    parked_at   timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (topic, id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';

-- The rows are all of ISO 3166-1 and ISO 4217, with short English names. They omit XTS and XXX of
-- the second, which mean "a test" and "no currency".
INSERT INTO country (alpha2, alpha3, name, region) VALUES
    ('AD', 'AND', 'Andorra', 'Europe'),
    ('AE', 'ARE', 'United Arab Emirates', 'Asia'),
    ('AF', 'AFG', 'Afghanistan', 'Asia'),
    ('AG', 'ATG', 'Antigua and Barbuda', 'Americas'),
    ('AI', 'AIA', 'Anguilla', 'Americas'),
    ('AL', 'ALB', 'Albania', 'Europe'),
    ('AM', 'ARM', 'Armenia', 'Asia'),
    ('AO', 'AGO', 'Angola', 'Africa'),
    ('AQ', 'ATA', 'Antarctica', 'Antarctica'),
    ('AR', 'ARG', 'Argentina', 'Americas'),
    ('AS', 'ASM', 'American Samoa', 'Oceania'),
    ('AT', 'AUT', 'Austria', 'Europe'),
    ('AU', 'AUS', 'Australia', 'Oceania'),
    ('AW', 'ABW', 'Aruba', 'Americas'),
    ('AX', 'ALA', 'Åland Islands', 'Europe'),
    ('AZ', 'AZE', 'Azerbaijan', 'Asia'),
    ('BA', 'BIH', 'Bosnia and Herzegovina', 'Europe'),
    ('BB', 'BRB', 'Barbados', 'Americas'),
    ('BD', 'BGD', 'Bangladesh', 'Asia'),
    ('BE', 'BEL', 'Belgium', 'Europe'),
    ('BF', 'BFA', 'Burkina Faso', 'Africa'),
    ('BG', 'BGR', 'Bulgaria', 'Europe'),
    ('BH', 'BHR', 'Bahrain', 'Asia'),
    ('BI', 'BDI', 'Burundi', 'Africa'),
    ('BJ', 'BEN', 'Benin', 'Africa'),
    ('BL', 'BLM', 'Saint Barthélemy', 'Americas'),
    ('BM', 'BMU', 'Bermuda', 'Americas'),
    ('BN', 'BRN', 'Brunei', 'Asia'),
    ('BO', 'BOL', 'Bolivia', 'Americas'),
    ('BQ', 'BES', 'Bonaire, Sint Eustatius and Saba', 'Americas'),
    ('BR', 'BRA', 'Brazil', 'Americas'),
    ('BS', 'BHS', 'Bahamas', 'Americas'),
    ('BT', 'BTN', 'Bhutan', 'Asia'),
    ('BV', 'BVT', 'Bouvet Island', 'Americas'),
    ('BW', 'BWA', 'Botswana', 'Africa'),
    ('BY', 'BLR', 'Belarus', 'Europe'),
    ('BZ', 'BLZ', 'Belize', 'Americas'),
    ('CA', 'CAN', 'Canada', 'Americas'),
    ('CC', 'CCK', 'Cocos (Keeling) Islands', 'Oceania'),
    ('CD', 'COD', 'Congo, Democratic Republic of the', 'Africa'),
    ('CF', 'CAF', 'Central African Republic', 'Africa'),
    ('CG', 'COG', 'Congo', 'Africa'),
    ('CH', 'CHE', 'Switzerland', 'Europe'),
    ('CI', 'CIV', 'Côte d’Ivoire', 'Africa'),
    ('CK', 'COK', 'Cook Islands', 'Oceania'),
    ('CL', 'CHL', 'Chile', 'Americas'),
    ('CM', 'CMR', 'Cameroon', 'Africa'),
    ('CN', 'CHN', 'China', 'Asia'),
    ('CO', 'COL', 'Colombia', 'Americas'),
    ('CR', 'CRI', 'Costa Rica', 'Americas'),
    ('CU', 'CUB', 'Cuba', 'Americas'),
    ('CV', 'CPV', 'Cabo Verde', 'Africa'),
    ('CW', 'CUW', 'Curaçao', 'Americas'),
    ('CX', 'CXR', 'Christmas Island', 'Oceania'),
    ('CY', 'CYP', 'Cyprus', 'Asia'),
    ('CZ', 'CZE', 'Czechia', 'Europe'),
    ('DE', 'DEU', 'Germany', 'Europe'),
    ('DJ', 'DJI', 'Djibouti', 'Africa'),
    ('DK', 'DNK', 'Denmark', 'Europe'),
    ('DM', 'DMA', 'Dominica', 'Americas'),
    ('DO', 'DOM', 'Dominican Republic', 'Americas'),
    ('DZ', 'DZA', 'Algeria', 'Africa'),
    ('EC', 'ECU', 'Ecuador', 'Americas'),
    ('EE', 'EST', 'Estonia', 'Europe'),
    ('EG', 'EGY', 'Egypt', 'Africa'),
    ('EH', 'ESH', 'Western Sahara', 'Africa'),
    ('ER', 'ERI', 'Eritrea', 'Africa'),
    ('ES', 'ESP', 'Spain', 'Europe'),
    ('ET', 'ETH', 'Ethiopia', 'Africa'),
    ('FI', 'FIN', 'Finland', 'Europe'),
    ('FJ', 'FJI', 'Fiji', 'Oceania'),
    ('FK', 'FLK', 'Falkland Islands', 'Americas'),
    ('FM', 'FSM', 'Micronesia', 'Oceania'),
    ('FO', 'FRO', 'Faroe Islands', 'Europe'),
    ('FR', 'FRA', 'France', 'Europe'),
    ('GA', 'GAB', 'Gabon', 'Africa'),
    ('GB', 'GBR', 'United Kingdom', 'Europe'),
    ('GD', 'GRD', 'Grenada', 'Americas'),
    ('GE', 'GEO', 'Georgia', 'Asia'),
    ('GF', 'GUF', 'French Guiana', 'Americas'),
    ('GG', 'GGY', 'Guernsey', 'Europe'),
    ('GH', 'GHA', 'Ghana', 'Africa'),
    ('GI', 'GIB', 'Gibraltar', 'Europe'),
    ('GL', 'GRL', 'Greenland', 'Americas'),
    ('GM', 'GMB', 'Gambia', 'Africa'),
    ('GN', 'GIN', 'Guinea', 'Africa'),
    ('GP', 'GLP', 'Guadeloupe', 'Americas'),
    ('GQ', 'GNQ', 'Equatorial Guinea', 'Africa'),
    ('GR', 'GRC', 'Greece', 'Europe'),
    ('GS', 'SGS', 'South Georgia and the South Sandwich Islands', 'Americas'),
    ('GT', 'GTM', 'Guatemala', 'Americas'),
    ('GU', 'GUM', 'Guam', 'Oceania'),
    ('GW', 'GNB', 'Guinea-Bissau', 'Africa'),
    ('GY', 'GUY', 'Guyana', 'Americas'),
    ('HK', 'HKG', 'Hong Kong', 'Asia'),
    ('HM', 'HMD', 'Heard Island and McDonald Islands', 'Oceania'),
    ('HN', 'HND', 'Honduras', 'Americas'),
    ('HR', 'HRV', 'Croatia', 'Europe'),
    ('HT', 'HTI', 'Haiti', 'Americas'),
    ('HU', 'HUN', 'Hungary', 'Europe'),
    ('ID', 'IDN', 'Indonesia', 'Asia'),
    ('IE', 'IRL', 'Ireland', 'Europe'),
    ('IL', 'ISR', 'Israel', 'Asia'),
    ('IM', 'IMN', 'Isle of Man', 'Europe'),
    ('IN', 'IND', 'India', 'Asia'),
    ('IO', 'IOT', 'British Indian Ocean Territory', 'Africa'),
    ('IQ', 'IRQ', 'Iraq', 'Asia'),
    ('IR', 'IRN', 'Iran', 'Asia'),
    ('IS', 'ISL', 'Iceland', 'Europe'),
    ('IT', 'ITA', 'Italy', 'Europe'),
    ('JE', 'JEY', 'Jersey', 'Europe'),
    ('JM', 'JAM', 'Jamaica', 'Americas'),
    ('JO', 'JOR', 'Jordan', 'Asia'),
    ('JP', 'JPN', 'Japan', 'Asia'),
    ('KE', 'KEN', 'Kenya', 'Africa'),
    ('KG', 'KGZ', 'Kyrgyzstan', 'Asia'),
    ('KH', 'KHM', 'Cambodia', 'Asia'),
    ('KI', 'KIR', 'Kiribati', 'Oceania'),
    ('KM', 'COM', 'Comoros', 'Africa'),
    ('KN', 'KNA', 'Saint Kitts and Nevis', 'Americas'),
    ('KP', 'PRK', 'North Korea', 'Asia'),
    ('KR', 'KOR', 'South Korea', 'Asia'),
    ('KW', 'KWT', 'Kuwait', 'Asia'),
    ('KY', 'CYM', 'Cayman Islands', 'Americas'),
    ('KZ', 'KAZ', 'Kazakhstan', 'Asia'),
    ('LA', 'LAO', 'Laos', 'Asia'),
    ('LB', 'LBN', 'Lebanon', 'Asia'),
    ('LC', 'LCA', 'Saint Lucia', 'Americas'),
    ('LI', 'LIE', 'Liechtenstein', 'Europe'),
    ('LK', 'LKA', 'Sri Lanka', 'Asia'),
    ('LR', 'LBR', 'Liberia', 'Africa'),
    ('LS', 'LSO', 'Lesotho', 'Africa'),
    ('LT', 'LTU', 'Lithuania', 'Europe'),
    ('LU', 'LUX', 'Luxembourg', 'Europe'),
    ('LV', 'LVA', 'Latvia', 'Europe'),
    ('LY', 'LBY', 'Libya', 'Africa'),
    ('MA', 'MAR', 'Morocco', 'Africa'),
    ('MC', 'MCO', 'Monaco', 'Europe'),
    ('MD', 'MDA', 'Moldova', 'Europe'),
    ('ME', 'MNE', 'Montenegro', 'Europe'),
    ('MF', 'MAF', 'Saint Martin (French part)', 'Americas'),
    ('MG', 'MDG', 'Madagascar', 'Africa'),
    ('MH', 'MHL', 'Marshall Islands', 'Oceania'),
    ('MK', 'MKD', 'North Macedonia', 'Europe'),
    ('ML', 'MLI', 'Mali', 'Africa'),
    ('MM', 'MMR', 'Myanmar', 'Asia'),
    ('MN', 'MNG', 'Mongolia', 'Asia'),
    ('MO', 'MAC', 'Macao', 'Asia'),
    ('MP', 'MNP', 'Northern Mariana Islands', 'Oceania'),
    ('MQ', 'MTQ', 'Martinique', 'Americas'),
    ('MR', 'MRT', 'Mauritania', 'Africa'),
    ('MS', 'MSR', 'Montserrat', 'Americas'),
    ('MT', 'MLT', 'Malta', 'Europe'),
    ('MU', 'MUS', 'Mauritius', 'Africa'),
    ('MV', 'MDV', 'Maldives', 'Asia'),
    ('MW', 'MWI', 'Malawi', 'Africa'),
    ('MX', 'MEX', 'Mexico', 'Americas'),
    ('MY', 'MYS', 'Malaysia', 'Asia'),
    ('MZ', 'MOZ', 'Mozambique', 'Africa'),
    ('NA', 'NAM', 'Namibia', 'Africa'),
    ('NC', 'NCL', 'New Caledonia', 'Oceania'),
    ('NE', 'NER', 'Niger', 'Africa'),
    ('NF', 'NFK', 'Norfolk Island', 'Oceania'),
    ('NG', 'NGA', 'Nigeria', 'Africa'),
    ('NI', 'NIC', 'Nicaragua', 'Americas'),
    ('NL', 'NLD', 'Netherlands', 'Europe'),
    ('NO', 'NOR', 'Norway', 'Europe'),
    ('NP', 'NPL', 'Nepal', 'Asia'),
    ('NR', 'NRU', 'Nauru', 'Oceania'),
    ('NU', 'NIU', 'Niue', 'Oceania'),
    ('NZ', 'NZL', 'New Zealand', 'Oceania'),
    ('OM', 'OMN', 'Oman', 'Asia'),
    ('PA', 'PAN', 'Panama', 'Americas'),
    ('PE', 'PER', 'Peru', 'Americas'),
    ('PF', 'PYF', 'French Polynesia', 'Oceania'),
    ('PG', 'PNG', 'Papua New Guinea', 'Oceania'),
    ('PH', 'PHL', 'Philippines', 'Asia'),
    ('PK', 'PAK', 'Pakistan', 'Asia'),
    ('PL', 'POL', 'Poland', 'Europe'),
    ('PM', 'SPM', 'Saint Pierre and Miquelon', 'Americas'),
    ('PN', 'PCN', 'Pitcairn', 'Oceania'),
    ('PR', 'PRI', 'Puerto Rico', 'Americas'),
    ('PS', 'PSE', 'Palestine', 'Asia'),
    ('PT', 'PRT', 'Portugal', 'Europe'),
    ('PW', 'PLW', 'Palau', 'Oceania'),
    ('PY', 'PRY', 'Paraguay', 'Americas'),
    ('QA', 'QAT', 'Qatar', 'Asia'),
    ('RE', 'REU', 'Réunion', 'Africa'),
    ('RO', 'ROU', 'Romania', 'Europe'),
    ('RS', 'SRB', 'Serbia', 'Europe'),
    ('RU', 'RUS', 'Russia', 'Europe'),
    ('RW', 'RWA', 'Rwanda', 'Africa'),
    ('SA', 'SAU', 'Saudi Arabia', 'Asia'),
    ('SB', 'SLB', 'Solomon Islands', 'Oceania'),
    ('SC', 'SYC', 'Seychelles', 'Africa'),
    ('SD', 'SDN', 'Sudan', 'Africa'),
    ('SE', 'SWE', 'Sweden', 'Europe'),
    ('SG', 'SGP', 'Singapore', 'Asia'),
    ('SH', 'SHN', 'Saint Helena, Ascension and Tristan da Cunha', 'Africa'),
    ('SI', 'SVN', 'Slovenia', 'Europe'),
    ('SJ', 'SJM', 'Svalbard and Jan Mayen', 'Europe'),
    ('SK', 'SVK', 'Slovakia', 'Europe'),
    ('SL', 'SLE', 'Sierra Leone', 'Africa'),
    ('SM', 'SMR', 'San Marino', 'Europe'),
    ('SN', 'SEN', 'Senegal', 'Africa'),
    ('SO', 'SOM', 'Somalia', 'Africa'),
    ('SR', 'SUR', 'Suriname', 'Americas'),
    ('SS', 'SSD', 'South Sudan', 'Africa'),
    ('ST', 'STP', 'Sao Tome and Principe', 'Africa'),
    ('SV', 'SLV', 'El Salvador', 'Americas'),
    ('SX', 'SXM', 'Sint Maarten (Dutch part)', 'Americas'),
    ('SY', 'SYR', 'Syria', 'Asia'),
    ('SZ', 'SWZ', 'Eswatini', 'Africa'),
    ('TC', 'TCA', 'Turks and Caicos Islands', 'Americas'),
    ('TD', 'TCD', 'Chad', 'Africa'),
    ('TF', 'ATF', 'French Southern Territories', 'Africa'),
    ('TG', 'TGO', 'Togo', 'Africa'),
    ('TH', 'THA', 'Thailand', 'Asia'),
    ('TJ', 'TJK', 'Tajikistan', 'Asia'),
    ('TK', 'TKL', 'Tokelau', 'Oceania'),
    ('TL', 'TLS', 'Timor-Leste', 'Oceania'),
    ('TM', 'TKM', 'Turkmenistan', 'Asia'),
    ('TN', 'TUN', 'Tunisia', 'Africa'),
    ('TO', 'TON', 'Tonga', 'Oceania'),
    ('TR', 'TUR', 'Türkiye', 'Asia'),
    ('TT', 'TTO', 'Trinidad and Tobago', 'Americas'),
    ('TV', 'TUV', 'Tuvalu', 'Oceania'),
    ('TW', 'TWN', 'Taiwan', 'Asia'),
    ('TZ', 'TZA', 'Tanzania', 'Africa'),
    ('UA', 'UKR', 'Ukraine', 'Europe'),
    ('UG', 'UGA', 'Uganda', 'Africa'),
    ('UM', 'UMI', 'United States Minor Outlying Islands', 'Oceania'),
    ('US', 'USA', 'United States', 'Americas'),
    ('UY', 'URY', 'Uruguay', 'Americas'),
    ('UZ', 'UZB', 'Uzbekistan', 'Asia'),
    ('VA', 'VAT', 'Holy See', 'Europe'),
    ('VC', 'VCT', 'Saint Vincent and the Grenadines', 'Americas'),
    ('VE', 'VEN', 'Venezuela', 'Americas'),
    ('VG', 'VGB', 'British Virgin Islands', 'Americas'),
    ('VI', 'VIR', 'United States Virgin Islands', 'Americas'),
    ('VN', 'VNM', 'Viet Nam', 'Asia'),
    ('VU', 'VUT', 'Vanuatu', 'Oceania'),
    ('WF', 'WLF', 'Wallis and Futuna', 'Oceania'),
    ('WS', 'WSM', 'Samoa', 'Oceania'),
    ('YE', 'YEM', 'Yemen', 'Asia'),
    ('YT', 'MYT', 'Mayotte', 'Africa'),
    ('ZA', 'ZAF', 'South Africa', 'Africa'),
    ('ZM', 'ZMB', 'Zambia', 'Africa'),
    ('ZW', 'ZWE', 'Zimbabwe', 'Africa');

INSERT INTO currency (code, name, country_id) VALUES
    ('AED', 'UAE Dirham', 'AE'),
    ('AFN', 'Afghani', 'AF'),
    ('ALL', 'Lek', 'AL'),
    ('AMD', 'Armenian Dram', 'AM'),
    ('AOA', 'Kwanza', 'AO'),
    ('ARS', 'Argentine Peso', 'AR'),
    ('AUD', 'Australian Dollar', 'AU'),
    ('AWG', 'Aruban Florin', 'AW'),
    ('AZN', 'Azerbaijan Manat', 'AZ'),
    ('BAM', 'Convertible Mark', 'BA'),
    ('BBD', 'Barbados Dollar', 'BB'),
    ('BDT', 'Taka', 'BD'),
    ('BHD', 'Bahraini Dinar', 'BH'),
    ('BIF', 'Burundi Franc', 'BI'),
    ('BMD', 'Bermudian Dollar', 'BM'),
    ('BND', 'Brunei Dollar', 'BN'),
    ('BOB', 'Boliviano', 'BO'),
    ('BOV', 'Mvdol', 'BO'),
    ('BRL', 'Brazilian Real', 'BR'),
    ('BSD', 'Bahamian Dollar', 'BS'),
    ('BTN', 'Ngultrum', 'BT'),
    ('BWP', 'Pula', 'BW'),
    ('BYN', 'Belarusian Ruble', 'BY'),
    ('BZD', 'Belize Dollar', 'BZ'),
    ('CAD', 'Canadian Dollar', 'CA'),
    ('CDF', 'Congolese Franc', 'CD'),
    ('CHE', 'WIR Euro', 'CH'),
    ('CHF', 'Swiss Franc', 'CH'),
    ('CHW', 'WIR Franc', 'CH'),
    ('CLF', 'Unidad de Fomento', 'CL'),
    ('CLP', 'Chilean Peso', 'CL'),
    ('CNY', 'Yuan Renminbi', 'CN'),
    ('COP', 'Colombian Peso', 'CO'),
    ('COU', 'Unidad de Valor Real', 'CO'),
    ('CRC', 'Costa Rican Colon', 'CR'),
    ('CUP', 'Cuban Peso', 'CU'),
    ('CVE', 'Cabo Verde Escudo', 'CV'),
    ('CZK', 'Czech Koruna', 'CZ'),
    ('DJF', 'Djibouti Franc', 'DJ'),
    ('DKK', 'Danish Krone', 'DK'),
    ('DOP', 'Dominican Peso', 'DO'),
    ('DZD', 'Algerian Dinar', 'DZ'),
    ('EGP', 'Egyptian Pound', 'EG'),
    ('ERN', 'Nakfa', 'ER'),
    ('ETB', 'Ethiopian Birr', 'ET'),
    ('EUR', 'Euro', NULL),
    ('FJD', 'Fiji Dollar', 'FJ'),
    ('FKP', 'Falkland Islands Pound', 'FK'),
    ('GBP', 'Pound Sterling', 'GB'),
    ('GEL', 'Lari', 'GE'),
    ('GHS', 'Ghana Cedi', 'GH'),
    ('GIP', 'Gibraltar Pound', 'GI'),
    ('GMD', 'Dalasi', 'GM'),
    ('GNF', 'Guinean Franc', 'GN'),
    ('GTQ', 'Quetzal', 'GT'),
    ('GYD', 'Guyana Dollar', 'GY'),
    ('HKD', 'Hong Kong Dollar', 'HK'),
    ('HNL', 'Lempira', 'HN'),
    ('HTG', 'Gourde', 'HT'),
    ('HUF', 'Forint', 'HU'),
    ('IDR', 'Rupiah', 'ID'),
    ('ILS', 'New Israeli Sheqel', 'IL'),
    ('INR', 'Indian Rupee', 'IN'),
    ('IQD', 'Iraqi Dinar', 'IQ'),
    ('IRR', 'Iranian Rial', 'IR'),
    ('ISK', 'Iceland Krona', 'IS'),
    ('JMD', 'Jamaican Dollar', 'JM'),
    ('JOD', 'Jordanian Dinar', 'JO'),
    ('JPY', 'Yen', 'JP'),
    ('KES', 'Kenyan Shilling', 'KE'),
    ('KGS', 'Som', 'KG'),
    ('KHR', 'Riel', 'KH'),
    ('KMF', 'Comorian Franc', 'KM'),
    ('KPW', 'North Korean Won', 'KP'),
    ('KRW', 'Won', 'KR'),
    ('KWD', 'Kuwaiti Dinar', 'KW'),
    ('KYD', 'Cayman Islands Dollar', 'KY'),
    ('KZT', 'Tenge', 'KZ'),
    ('LAK', 'Lao Kip', 'LA'),
    ('LBP', 'Lebanese Pound', 'LB'),
    ('LKR', 'Sri Lanka Rupee', 'LK'),
    ('LRD', 'Liberian Dollar', 'LR'),
    ('LSL', 'Loti', 'LS'),
    ('LYD', 'Libyan Dinar', 'LY'),
    ('MAD', 'Moroccan Dirham', 'MA'),
    ('MDL', 'Moldovan Leu', 'MD'),
    ('MGA', 'Malagasy Ariary', 'MG'),
    ('MKD', 'Denar', 'MK'),
    ('MMK', 'Kyat', 'MM'),
    ('MNT', 'Tugrik', 'MN'),
    ('MOP', 'Pataca', 'MO'),
    ('MRU', 'Ouguiya', 'MR'),
    ('MUR', 'Mauritius Rupee', 'MU'),
    ('MVR', 'Rufiyaa', 'MV'),
    ('MWK', 'Malawi Kwacha', 'MW'),
    ('MXN', 'Mexican Peso', 'MX'),
    ('MXV', 'Mexican Unidad de Inversion (UDI)', 'MX'),
    ('MYR', 'Malaysian Ringgit', 'MY'),
    ('MZN', 'Mozambique Metical', 'MZ'),
    ('NAD', 'Namibia Dollar', 'NA'),
    ('NGN', 'Naira', 'NG'),
    ('NIO', 'Cordoba Oro', 'NI'),
    ('NOK', 'Norwegian Krone', 'NO'),
    ('NPR', 'Nepalese Rupee', 'NP'),
    ('NZD', 'New Zealand Dollar', 'NZ'),
    ('OMR', 'Rial Omani', 'OM'),
    ('PAB', 'Balboa', 'PA'),
    ('PEN', 'Sol', 'PE'),
    ('PGK', 'Kina', 'PG'),
    ('PHP', 'Philippine Peso', 'PH'),
    ('PKR', 'Pakistan Rupee', 'PK'),
    ('PLN', 'Zloty', 'PL'),
    ('PYG', 'Guarani', 'PY'),
    ('QAR', 'Qatari Rial', 'QA'),
    ('RON', 'Romanian Leu', 'RO'),
    ('RSD', 'Serbian Dinar', 'RS'),
    ('RUB', 'Russian Ruble', 'RU'),
    ('RWF', 'Rwanda Franc', 'RW'),
    ('SAR', 'Saudi Riyal', 'SA'),
    ('SBD', 'Solomon Islands Dollar', 'SB'),
    ('SCR', 'Seychelles Rupee', 'SC'),
    ('SDG', 'Sudanese Pound', 'SD'),
    ('SEK', 'Swedish Krona', 'SE'),
    ('SGD', 'Singapore Dollar', 'SG'),
    ('SHP', 'Saint Helena Pound', 'SH'),
    ('SLE', 'Leone', 'SL'),
    ('SOS', 'Somali Shilling', 'SO'),
    ('SRD', 'Surinam Dollar', 'SR'),
    ('SSP', 'South Sudanese Pound', 'SS'),
    ('STN', 'Dobra', 'ST'),
    ('SVC', 'El Salvador Colon', 'SV'),
    ('SYP', 'Syrian Pound', 'SY'),
    ('SZL', 'Lilangeni', 'SZ'),
    ('THB', 'Baht', 'TH'),
    ('TJS', 'Somoni', 'TJ'),
    ('TMT', 'Turkmenistan New Manat', 'TM'),
    ('TND', 'Tunisian Dinar', 'TN'),
    ('TOP', 'Pa’anga', 'TO'),
    ('TRY', 'Turkish Lira', 'TR'),
    ('TTD', 'Trinidad and Tobago Dollar', 'TT'),
    ('TWD', 'New Taiwan Dollar', 'TW'),
    ('TZS', 'Tanzanian Shilling', 'TZ'),
    ('UAH', 'Hryvnia', 'UA'),
    ('UGX', 'Uganda Shilling', 'UG'),
    ('USD', 'US Dollar', 'US'),
    ('USN', 'US Dollar (Next day)', 'US'),
    ('UYI', 'Uruguay Peso en Unidades Indexadas (UI)', 'UY'),
    ('UYU', 'Peso Uruguayo', 'UY'),
    ('UYW', 'Unidad Previsional', 'UY'),
    ('UZS', 'Uzbekistan Sum', 'UZ'),
    ('VED', 'Bolívar Soberano', 'VE'),
    ('VES', 'Bolívar Soberano', 'VE'),
    ('VND', 'Dong', 'VN'),
    ('VUV', 'Vatu', 'VU'),
    ('WST', 'Tala', 'WS'),
    ('XAD', 'Arab Accounting Dinar', NULL),
    ('XAF', 'CFA Franc BEAC', NULL),
    ('XAG', 'Silver', NULL),
    ('XAU', 'Gold', NULL),
    ('XBA', 'Bond Markets Unit European Composite Unit (EURCO)', NULL),
    ('XBB', 'Bond Markets Unit European Monetary Unit (E.M.U.-6)', NULL),
    ('XBC', 'Bond Markets Unit European Unit of Account 9 (E.U.A.-9)', NULL),
    ('XBD', 'Bond Markets Unit European Unit of Account 17 (E.U.A.-17)', NULL),
    ('XCD', 'East Caribbean Dollar', NULL),
    ('XCG', 'Caribbean Guilder', NULL),
    ('XDR', 'SDR (Special Drawing Right)', NULL),
    ('XOF', 'CFA Franc BCEAO', NULL),
    ('XPD', 'Palladium', NULL),
    ('XPF', 'CFP Franc', NULL),
    ('XPT', 'Platinum', NULL),
    ('XSU', 'Sucre', NULL),
    ('XUA', 'ADB Unit of Account', NULL),
    ('YER', 'Yemeni Rial', 'YE'),
    ('ZAR', 'Rand', 'ZA'),
    ('ZMW', 'Zambian Kwacha', 'ZM'),
    ('ZWG', 'Zimbabwe Gold', 'ZW');
