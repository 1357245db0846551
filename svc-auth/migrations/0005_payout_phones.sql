-- A payout phone is one that a player has proven by a code, so that their withdrawals may go to it.
-- The phone that the player signs in with needs no row.
CREATE TABLE payout_phone (
    player_id    uuid NOT NULL,
    phone        text NOT NULL,
    proven_at    timestamptz NOT NULL,
    -- Withdrawals may go to the phone from this time on.
    opens_at     timestamptz NOT NULL,
    -- The phone is forgotten until the player proves it again. It counts for the phones of a year.
    forgotten_at timestamptz,
    CONSTRAINT payout_phone_pkey PRIMARY KEY (player_id, phone),
    CONSTRAINT payout_phone_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE,
    CONSTRAINT payout_phone_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$'),
    CONSTRAINT payout_phone_opens_at CHECK (opens_at >= proven_at)
);
COMMENT ON TABLE payout_phone IS 'Rows stay until the player is erased; the erasure job removes them. A sign-out everywhere and a reset password forget them all, and a changed password those that are not open yet.';

-- A payout phone challenge is the code that was sent to a phone which a player wants to prove. The
-- code is an HMAC of challenge_id, so no table contains it.
CREATE TABLE payout_phone_challenge (
    player_id    uuid NOT NULL,
    -- This id belongs to the newest code, which voids the code before it.
    challenge_id uuid NOT NULL,
    phone        text NOT NULL,
    tries        integer NOT NULL DEFAULT 0,
    expires_at   timestamptz NOT NULL,
    -- The codes that count for the limits of the player were sent at these times, oldest first.
    sent         timestamptz[] NOT NULL,
    kept_until   timestamptz NOT NULL,
    CONSTRAINT payout_phone_challenge_pkey PRIMARY KEY (player_id),
    CONSTRAINT payout_phone_challenge_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE CASCADE,
    CONSTRAINT payout_phone_challenge_phone_form CHECK (phone ~ '^\+254[17][0-9]{8}$'),
    CONSTRAINT payout_phone_challenge_tries CHECK (tries >= 0)
);
CREATE INDEX payout_phone_challenge_kept_until ON payout_phone_challenge (kept_until);
COMMENT ON TABLE payout_phone_challenge IS 'Rows stay until no code of the player counts for a limit, a day after the last; the sweep job removes them.';
