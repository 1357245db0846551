SELECT section AS "section!", record AS "record!" FROM (
(SELECT 'best_runs', row_to_json(record)::text FROM (
    SELECT game.name AS game, points, trust, level, reached_at
    FROM best_run JOIN game ON game.id = game_id WHERE player_id = $1
    ORDER BY reached_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'games_played', row_to_json(record)::text FROM (
    SELECT game.name AS game, played_at
    FROM recent_game JOIN game ON game.id = game_id WHERE player_id = $1
    ORDER BY played_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'runs_of_the_last_days', row_to_json(record)::text FROM (
    SELECT game.name AS game, tournament_id AS tournament, round, level, started_at,
           begun_at, submitted_at, points, trust, refusal
    FROM play_session JOIN game ON game.id = game_id WHERE player_id = $1
    ORDER BY started_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'best_runs_in_tournaments', row_to_json(record)::text FROM (
    SELECT game.name AS game, tournament_id AS tournament, points, level, reached_at
    FROM tournament_run JOIN game ON game.id = game_id WHERE player_id = $1
    ORDER BY reached_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'runs_started_in_tournaments', row_to_json(record)::text FROM (
    SELECT tournament_id AS tournament, round, runs
    FROM tournament_runs WHERE player_id = $1
    ORDER BY ends_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'runs_held_for_review', row_to_json(record)::text FROM (
    SELECT game.name AS game, tournament_id AS tournament, round, held_run.level, points,
           actions, elapsed_seconds, submitted_at, decision,
           decision_reason, decided_at
    FROM held_run JOIN game ON game.id = game_id WHERE player_id = $1
    ORDER BY submitted_at DESC
    LIMIT 20000) AS record)
) AS records (section, record)
