SELECT section AS "section!", record AS "record!" FROM (
(SELECT 'standings', row_to_json(record)::text FROM (
    SELECT tournament.name AS tournament, points, reached_at
    FROM tournament JOIN standing ON standing.tournament_id = tournament.id
        AND standing.player_id = $1
    ORDER BY reached_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'final_places', row_to_json(record)::text FROM (
    SELECT tournament.name AS tournament, rank AS place, points, tournament.ends AS ended_at
    FROM tournament JOIN final_standing ON final_standing.tournament_id = tournament.id
        AND final_standing.player_id = $1
    ORDER BY tournament.ends DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'awards', row_to_json(record)::text FROM (
    SELECT tournament_id AS tournament, rank AS place, tier, name AS award,
           (cash_cents / 100.0)::numeric(20, 2)::text AS cash_kes,
           given_at, state, due_at,
           CASE WHEN state = 'REFUSED' THEN (
               SELECT reason FROM award_decision
               WHERE award_id = award_given.id AND decision = 'REFUSE'
               ORDER BY seq DESC LIMIT 1) END AS refused_because
    FROM award_given WHERE player_id = $1
    ORDER BY given_at DESC
    LIMIT 20000) AS record)
) AS records (section, record)
