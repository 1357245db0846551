-- Tournaments that were there before they had keys get ones that operators could have written.
UPDATE tournament SET key = 'old-' || id::text WHERE key = id::text;
UPDATE tournament SET game_key = 'old-' || game_id::text WHERE game_key = game_id::text;
