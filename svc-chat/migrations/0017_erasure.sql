-- How far the accounts that svc-auth erased are erased here.
CREATE TABLE erasure_progress (
    -- There is one row.
    id           boolean     NOT NULL DEFAULT true,
    -- The last player of svc-auth's list who is erased here; null before the first.
    last_id      uuid,
    last_at      timestamptz,
    -- The last player of the page whose messages are looked for, and the last room that was
    -- looked through for them; null between two pages.
    page_end_id  uuid,
    page_end_at  timestamptz,
    room_id      uuid,
    -- Until then one replica erases, and no other.
    leased_until timestamptz NOT NULL,
    CONSTRAINT erasure_progress_pkey PRIMARY KEY (id),
    CONSTRAINT erasure_progress_one CHECK (id),
    CONSTRAINT erasure_progress_last CHECK ((last_id IS NULL) = (last_at IS NULL)),
    CONSTRAINT erasure_progress_page CHECK ((page_end_id IS NULL) = (page_end_at IS NULL)
        AND (page_end_id IS NULL) = (room_id IS NULL))
);
INSERT INTO erasure_progress (leased_until) VALUES ('epoch');
COMMENT ON TABLE erasure_progress IS 'Rows stay for good: there is one.';
COMMENT ON TABLE membership IS 'Rows stay until the player leaves or is erased, or an operator removes the room.';
COMMENT ON TABLE player_block IS 'Rows stay until the player unblocks, or one of the two is erased. At most 200 for each player.';
COMMENT ON TABLE feedback IS 'Rows stay for a year (FEEDBACK_RETENTION); the job that sweeps removes them, and the erasure those of its player.';
COMMENT ON TABLE notification IS 'Rows stay for 90 days (NOTIFICATION_RETENTION), read or not, or until their player is erased; the job that sweeps removes them.';
COMMENT ON TABLE push_subscription IS 'Rows stay until the player signs out, switches push off or is erased, the push service answers 404 or 410, or nothing refreshed them for 60 days (PUSH_SUBSCRIPTION_RETENTION); the job that sweeps push subscriptions removes the last.';
COMMENT ON TABLE notification_setting IS 'Rows stay until their player is erased: one small row for each player who changed a setting.';
-- For the erasure of a player whom others blocked.
CREATE INDEX player_block_blocked ON player_block (blocked_id);
