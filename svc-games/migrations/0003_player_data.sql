-- A player's copy of all data reads the player's rows by these indexes.
CREATE INDEX play_session_by_player ON play_session (player_id);
CREATE INDEX tournament_run_by_player ON tournament_run (player_id);
CREATE INDEX held_run_by_player ON held_run (player_id);
