-- A player's copy of all data, and the erasure, find the player's messages by these indexes. Each
-- message sent pays for an index entry; without it the erasure read all messages of all rooms.
CREATE INDEX message_by_player ON message (player_id) WHERE removal IS NULL;
CREATE INDEX hidden_message_by_sender ON hidden_message (sender_id);

-- The erasure reads messages by their player, so it has no room to remember, and replicas that erase
-- at the same time repeat each other's steps without harm.
DELETE FROM erasure_progress WHERE last_id IS NULL;
ALTER TABLE erasure_progress
    DROP COLUMN page_end_id,
    DROP COLUMN page_end_at,
    DROP COLUMN room_id,
    DROP COLUMN leased_until,
    ALTER COLUMN last_id SET NOT NULL,
    ALTER COLUMN last_at SET NOT NULL;
