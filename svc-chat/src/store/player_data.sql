SELECT section AS "section!", record AS "record!" FROM (
(SELECT 'rooms', row_to_json(record)::text FROM (
    SELECT room.name AS room, joined_at, read_seq AS newest_read_message
    FROM membership JOIN room ON room.id = room_id WHERE player_id = $1
    ORDER BY joined_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'messages', row_to_json(record)::text FROM (
    SELECT room.name AS room, chat_type AS kind, content, message.created_at
    FROM message LEFT JOIN room ON room.id = room_id
    WHERE player_id = $1 AND removal IS NULL
    ORDER BY message.created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'messages_hidden_by_support', row_to_json(record)::text FROM (
    SELECT room.name AS room, chat_type AS kind, content, sent_at, hidden_at
    FROM hidden_message LEFT JOIN room ON room.id = room_id WHERE sender_id = $1
    ORDER BY hidden_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'reports_of_messages', row_to_json(record)::text FROM (
    SELECT reason, note, created_at, resolution, resolved_at
    FROM message_report WHERE reporter_id = $1
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'blocked_players', row_to_json(record)::text FROM (
    SELECT blocked_id AS player, created_at
    FROM player_block WHERE player_id = $1
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'mutes', row_to_json(record)::text FROM (
    SELECT room.name AS room, until
    FROM player_mute LEFT JOIN room ON room.id = room_id WHERE player_id = $1
    ORDER BY until DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'notifications', row_to_json(record)::text FROM (
    SELECT kind, params AS details, occurred_at, read_at
    FROM notification WHERE player_id = $1
    ORDER BY notification.id DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'notification_settings', row_to_json(record)::text FROM (
    SELECT muted, quiet_from AS quiet_from_minute, quiet_until AS quiet_until_minute, updated_at
    FROM notification_setting WHERE player_id = $1
    ORDER BY updated_at
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'push_subscriptions', row_to_json(record)::text FROM (
    SELECT endpoint, language, created_at, refreshed_at
    FROM push_subscription WHERE player_id = $1
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'feedback', row_to_json(record)::text FROM (
    SELECT email, subject, message, created_at
    FROM feedback WHERE player_id = $1
    ORDER BY created_at DESC
    LIMIT 20000) AS record)
) AS records (section, record)
