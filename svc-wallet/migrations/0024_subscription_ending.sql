-- Players are notified before a package ends.

-- The end that the player was notified of. Another day that is bought moves the end, and the
-- player is notified of that one too.
ALTER TABLE subscription ADD COLUMN notified_end timestamptz;
UPDATE subscription SET notified_end = expires_at WHERE expires_at <= now();

CREATE INDEX subscription_ending ON subscription (expires_at)
    WHERE notified_end IS DISTINCT FROM expires_at;
