-- The players of a game, page by page. Without played_at, so that a new run leaves the index
-- alone.
CREATE INDEX recent_game_players ON recent_game (game_id, player_id);
