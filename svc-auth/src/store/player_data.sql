SELECT section AS "section!", record AS "record!" FROM (
(SELECT 'account', row_to_json(record)::text FROM (
    SELECT id, name, username, email, phone, dob AS date_of_birth, gender, profile_pic AS picture,
           country_id AS country, currency_id AS currency, referral_code, created_at, updated_at,
           first_seen_at, deletion_due_at, break_until
    FROM player WHERE id = $1
    ORDER BY id
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'sign_in_by_email', row_to_json(record)::text FROM (
    SELECT email, verified_at, created_at
    FROM email_identity WHERE player_id = $1
    ORDER BY created_at
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'sign_in_by_phone', row_to_json(record)::text FROM (
    SELECT phone, created_at
    FROM phone_identity WHERE player_id = $1
    ORDER BY created_at
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'sign_in_by_provider', row_to_json(record)::text FROM (
    SELECT provider, subject, email, created_at
    FROM social_identity WHERE player_id = $1
    ORDER BY created_at
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'sessions', row_to_json(record)::text FROM (
    SELECT created_at, rotated_at AS last_used_at, stay_signed_in, expires_at, ended_at,
           ended_because
    FROM session WHERE player_id = $1
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'devices', row_to_json(record)::text FROM (
    SELECT device_id AS id, first_seen_at, last_seen_at, money_from
    FROM known_device WHERE player_id = $1
    ORDER BY last_seen_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'devices_approved_by_support', row_to_json(record)::text FROM (
    SELECT device_id AS id, reason, at
    FROM device_approval WHERE player_id = $1
    ORDER BY at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'payout_phones', row_to_json(record)::text FROM (
    SELECT phone, proven_at, opens_at, forgotten_at
    FROM payout_phone WHERE player_id = $1
    ORDER BY proven_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'referrals', row_to_json(record)::text FROM (
    SELECT CASE WHEN inviter_id = $1 THEN 'invited a player' ELSE 'was invited' END AS event,
           created_at
    FROM referral WHERE $1 IN (inviter_id, invitee_id)
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
) AS records (section, record)
