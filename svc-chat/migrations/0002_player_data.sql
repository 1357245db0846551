-- A player's copy of all data, and the erasure, find the player's messages by these indexes. Each
-- message sent pays for an index entry; without it the erasure read all messages of all rooms.
CREATE INDEX message_by_player ON message (player_id) WHERE removal IS NULL;
CREATE INDEX hidden_message_by_sender ON hidden_message (sender_id);

-- The erasure reads messages by their player, so it has no lease and no place in the rooms any more.
-- Replicas of the release before still use the columns, which a later release drops.
DELETE FROM erasure_progress WHERE last_id IS NULL;
ALTER TABLE erasure_progress ALTER COLUMN leased_until SET DEFAULT now();
