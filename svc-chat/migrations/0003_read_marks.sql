-- A member's list of rooms counts the messages after the last one that the member has read. The
-- number of that message is null in a membership that the release before has made, until its member
-- opens the room; such a room has nothing unread.
ALTER TABLE membership ADD COLUMN read_seq bigint;
COMMENT ON COLUMN membership.read_seq IS 'The number of the newest message that the member has read; null in a membership of the release before 0003, until its member opens the room.';
-- Updates of the number stay on the page, beside the row versions that they replace.
ALTER TABLE membership SET (fillfactor = 90);
