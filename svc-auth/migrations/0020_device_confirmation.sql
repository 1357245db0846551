-- From when money may leave a wallet by a device of its player, and the codes by which players
-- confirm devices.

ALTER TABLE known_device ADD COLUMN money_from timestamptz;
COMMENT ON COLUMN known_device.money_from IS 'Null until the player has confirmed the device.';

-- When a device that money may leave by was last in use, of those that were forgotten since. A
-- phone number whose player has been away for long may be another person's by now.
-- No device was remembered before, so those who are players now have one in use.
ALTER TABLE player ADD COLUMN money_seen_at timestamptz DEFAULT now();
ALTER TABLE player ALTER COLUMN money_seen_at DROP DEFAULT;

-- A row for a player who was sent a code; the code is an HMAC of its id.
CREATE TABLE device_challenge (
    player_id    uuid PRIMARY KEY
        CONSTRAINT device_challenge_player REFERENCES player (id) ON DELETE CASCADE,
    -- The newest code: it voids the one before it.
    challenge_id uuid NOT NULL,
    tries        integer NOT NULL DEFAULT 0 CONSTRAINT device_challenge_tries CHECK (tries >= 0),
    -- The device that used it. A retry of the same device succeeds.
    used_by      uuid,
    expires_at   timestamptz NOT NULL,
    -- When codes were sent, oldest first, of those that count for the limits.
    sent         timestamptz[] NOT NULL,
    kept_until   timestamptz NOT NULL
);
CREATE INDEX device_challenge_kept_until ON device_challenge (kept_until);
COMMENT ON TABLE device_challenge IS 'Rows stay until no code of the player counts for a limit, a day after the last; the sweep job removes them.';

-- Devices that an operator confirmed, because the player cannot.
CREATE TABLE device_approval (
    id        uuid PRIMARY KEY,
    player_id uuid        NOT NULL,
    device_id uuid        NOT NULL,
    operator  text        NOT NULL,
    reason    text        NOT NULL
        CONSTRAINT device_approval_reason CHECK (char_length(reason) BETWEEN 1 AND 500),
    at        timestamptz NOT NULL
);
COMMENT ON TABLE device_approval IS 'Rows stay for good: the audit of what operators did for players. Some hundred a year.';
