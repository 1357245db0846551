-- The end of the player's last break, on which the player cannot play or pay in. It stays after the
-- break, and after the erasure of the account.
ALTER TABLE player ADD COLUMN break_until timestamptz;
