-- Devices that a player has signed in on. Strangers who fail at a player's account, or request
-- codes for the player's phone, are counted apart from these.

CREATE TABLE known_device (
    player_id     uuid NOT NULL
        CONSTRAINT known_device_player REFERENCES player (id) ON DELETE CASCADE,
    -- The browser's token is an HMAC of it, so this id opens nothing.
    device_id     uuid NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at  timestamptz NOT NULL,
    PRIMARY KEY (player_id, device_id)
);
CREATE INDEX known_device_last_seen_at ON known_device (last_seen_at);
COMMENT ON TABLE known_device IS 'Rows stay until the device has not been used for 400 days; the sweep job removes them. An erasure, a new password and a sign-out everywhere remove them sooner.';

-- No limit is lenient any more after a reset: the device that set the password is a known one.
-- `lenient_until` stays for one release, because the replicas of before still read it.
ALTER TABLE sign_in_rate_limit
    -- Failures since the last success or reset.
    ADD COLUMN failed integer NOT NULL DEFAULT 0
        CONSTRAINT sign_in_rate_limit_failed CHECK (failed >= 0);
COMMENT ON TABLE sign_in_rate_limit IS 'Rows stay until a sign-in succeeds or the password is reset; the sweep job removes those without a failure for 90 days.';

-- The device that exchanged the last token: the same successor is given to no other one again.
-- Null for a client without a device token.
ALTER TABLE session ADD COLUMN rotated_on uuid;

-- A code for a stranger does not void that of the owner's device.
ALTER TABLE phone_challenge ADD COLUMN by_known_device boolean NOT NULL DEFAULT false;
DROP INDEX phone_challenge_live;
CREATE UNIQUE INDEX phone_challenge_live ON phone_challenge (phone, by_known_device)
    WHERE ended_at IS NULL;

-- Codes for phones without an account, which half of a day's budget is for.
ALTER TABLE sms_spent ADD COLUMN strange integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT sms_spent_strange CHECK (strange BETWEEN 0 AND sent);
