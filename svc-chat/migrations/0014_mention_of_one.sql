-- Whom a message mentions, so that a sender cannot spend the whole hour's limit on one player.
-- Rows of before have none, and are gone within the hour.
ALTER TABLE mention_notice ADD COLUMN player_ids uuid[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN mention_notice.player_ids IS 'The players whom the message notified, and those whom it would have, had they not blocked the sender: `players` of them.';
