-- A player's copy of all data reads the player's awards by this index. Standings need none: they
-- are found by tournament and player.
CREATE INDEX award_given_by_player ON award_given (player_id);
