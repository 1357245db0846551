-- A member's list of rooms counts the messages after the last one that the member has read. It is
-- null for a member who has not opened the room since this release, and counts as nothing unread.
ALTER TABLE membership ADD COLUMN read_seq bigint;
COMMENT ON COLUMN membership.read_seq IS 'The number of the newest message that the member has read; null before the first.';
