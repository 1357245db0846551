-- A player's copy of all data, and the erasure, find the player's messages by these
-- indexes.
CREATE INDEX message_by_player ON message (player_id) WHERE removal IS NULL;
CREATE INDEX hidden_message_by_sender ON hidden_message (sender_id);
