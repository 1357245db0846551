-- The key of the game that a room is about. Its id follows from it, as in svc-games.
ALTER TABLE room ADD COLUMN game text;
