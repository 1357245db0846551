-- This schema holds chat rooms with their members and messages, the evidence and rules that keep
-- rooms safe, what operators publish, feedback to the support, and the notifications of players
-- with their delivery to browsers. The tables come in that order, followed by two that jobs use:
-- `erasure_progress` and `outbox`.

-- A room is where its members chat. Operators open, change and remove rooms.
CREATE TABLE room (
    -- The id is derived from chat_room_uid, so a room that is opened again has its old id.
    id            uuid        NOT NULL,
    -- The key names the room in paths and manifests.
    chat_room_uid text        NOT NULL,
    name          text        NOT NULL,
    icon          text        NOT NULL,
    -- Names the game that the room is about by its key; null without a game. The game's id is
    -- derived from the key, as in svc-games.
    game          text,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT room_pkey PRIMARY KEY (id),
    CONSTRAINT room_uid UNIQUE (chat_room_uid),
    CONSTRAINT room_name CHECK (length(name) BETWEEN 1 AND 120)
);
-- The list of rooms has this order. Ids break ties, so that the order is stable.
CREATE INDEX room_by_name ON room (name, id);
COMMENT ON TABLE room IS 'Rows stay until an operator removes them.';

-- A sequence holds the last numbers that a room gave to messages and removals. It has a row of its
-- own, so that senders lock nothing else: a sender's statement takes the next number and inserts
-- with it, and the lock ends with that statement's transaction. A number is therefore given only
-- after all lower ones are visible.
CREATE TABLE room_sequence (
    room_id  uuid   NOT NULL,
    -- Holds the number of the newest message.
    messages bigint NOT NULL DEFAULT 0,
    -- Holds the number of the newest removal.
    removals bigint NOT NULL DEFAULT 0,
    CONSTRAINT room_sequence_pkey PRIMARY KEY (room_id),
    CONSTRAINT room_sequence_room_id_fkey
        FOREIGN KEY (room_id) REFERENCES room (id) ON DELETE CASCADE
) WITH (
    -- Updates stay on the page, beside the row versions that they replace.
    fillfactor = 20
);
COMMENT ON TABLE room_sequence IS 'Rows stay as long as their room.';

-- This table counts the members of each room. The count is not in room_sequence, so that a player
-- who joins does not wait for senders.
CREATE TABLE room_counts (
    room_id uuid   NOT NULL,
    members bigint NOT NULL DEFAULT 0,
    CONSTRAINT room_counts_pkey PRIMARY KEY (room_id),
    CONSTRAINT room_counts_room_id_fkey
        FOREIGN KEY (room_id) REFERENCES room (id) ON DELETE CASCADE,
    CONSTRAINT room_counts_members CHECK (members >= 0)
) WITH (
    -- Updates stay on the page, as those of room_sequence do.
    fillfactor = 20
);
COMMENT ON TABLE room_counts IS 'Rows stay as long as their room.';

-- A membership records that a player has joined a room.
CREATE TABLE membership (
    room_id   uuid        NOT NULL,
    player_id uuid        NOT NULL,
    joined_at timestamptz NOT NULL,
    CONSTRAINT membership_pkey PRIMARY KEY (room_id, player_id),
    CONSTRAINT membership_room_id_fkey FOREIGN KEY (room_id) REFERENCES room (id)
);
-- This index finds the rooms of a player.
CREATE INDEX membership_by_player ON membership (player_id, room_id);
COMMENT ON TABLE membership IS 'Rows stay until the player leaves or is erased, or an operator removes the room.';

-- This table lists the rooms that operators removed. Their messages stay for a while, because a
-- room that is opened again has them.
CREATE TABLE removed_room (
    room_id    uuid        NOT NULL,
    removed_at timestamptz NOT NULL,
    CONSTRAINT removed_room_pkey PRIMARY KEY (room_id)
);
COMMENT ON TABLE removed_room IS 'Rows stay until the room is opened again, or until its messages are gone, 30 days after it was removed; the job that sweeps messages removes both.';

-- A message is numbered in its room from 1 without gaps. It has no foreign key to the room, because
-- checking one would lock the room's row for each message. The messages of a removed room cannot
-- be read until the room is opened again.
CREATE TABLE message (
    room_id    uuid        NOT NULL,
    seq        bigint      NOT NULL,
    -- The id is derived from the room, the player and the name that the player's device gives the
    -- message, so that message_id also keeps a repeated call from storing the message twice.
    id         uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    chat_type  text        NOT NULL,
    -- The content is a text or the URL of a file, and is empty once the message is removed.
    content    text        NOT NULL,
    created_at timestamptz NOT NULL,
    -- Numbers the removals of a room as seq numbers its messages; null while the message stands.
    removal    bigint,
    -- Pages and streams read ranges of this key.
    CONSTRAINT message_pkey PRIMARY KEY (room_id, seq),
    CONSTRAINT message_id UNIQUE (id),
    CONSTRAINT message_seq CHECK (seq > 0),
    CONSTRAINT message_chat_type
        CHECK (chat_type IN ('TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT')),
    CONSTRAINT message_content CHECK (length(content) <= 4000),
    CONSTRAINT message_removed CHECK ((content = '') = (removal IS NOT NULL))
);
-- Streams read the removals after a cursor from this index.
CREATE INDEX message_removals ON message (room_id, removal) WHERE removal IS NOT NULL;
-- The sweep finds old messages by this index. Messages are stored nearly in the order of their
-- times, so ranges of blocks suffice; a B-tree would cost each message one more index entry.
CREATE INDEX message_by_age ON message USING brin (created_at)
    WITH (pages_per_range = 32, autosummarize = on);
-- The media sweep finds by this index which messages have a file. Texts have no entry.
CREATE INDEX message_media ON message (content) WHERE chat_type <> 'TEXT' AND removal IS NULL;
-- The media sweep finds by this index the text messages that are a file's URL, because the
-- specification makes a text message of a text file. Such a URL has at most 200 characters.
CREATE INDEX message_text_file ON message (content)
    WHERE chat_type = 'TEXT' AND content LIKE '/media/chat/%' AND length(content) <= 200
        AND removal IS NULL;
COMMENT ON TABLE message IS 'Rows stay for a year (MESSAGE_RETENTION), removed or not; the job that sweeps removes them.';

-- A mention notice records whom a message mentions, for two reasons: a repeated delivery does
-- nothing, and the mentions of a sender are limited, both in total and for each mentioned player,
-- so that a sender cannot spend the whole hour's limit on one player.
CREATE TABLE mention_notice (
    message_id uuid        NOT NULL,
    sender_id  uuid        NOT NULL,
    -- Counts player_ids.
    players    smallint    NOT NULL,
    player_ids uuid[]      NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    CONSTRAINT mention_notice_pkey PRIMARY KEY (message_id),
    CONSTRAINT mention_notice_players CHECK (players BETWEEN 0 AND 5)
);
-- The limit of a sender counts the last hour by this index.
CREATE INDEX mention_notice_by_sender ON mention_notice (sender_id, created_at);
-- The sweep finds old rows by this index.
CREATE INDEX mention_notice_by_age ON mention_notice (created_at);
COMMENT ON TABLE mention_notice IS 'Rows stay for an hour, the period of the limit; the job that sweeps what is kept for safety removes them.';
COMMENT ON COLUMN mention_notice.player_ids IS 'The players whom the message notified, and those whom it would have, had they not blocked the sender: `players` of them.';

-- A report is a player's complaint about a message. It has the message as it was, because the
-- sender may erase the message.
CREATE TABLE message_report (
    -- Ids sort by the time of the report.
    id          uuid        NOT NULL,
    reporter_id uuid        NOT NULL,
    reason      text        NOT NULL,
    note        text        NOT NULL,
    created_at  timestamptz NOT NULL,
    message_id  uuid        NOT NULL,
    room_id     uuid        NOT NULL,
    sender_id   uuid        NOT NULL,
    chat_type   text        NOT NULL,
    content     text        NOT NULL,
    sent_at     timestamptz NOT NULL,
    resolved_at timestamptz,
    resolved_by text,
    resolution  text,
    CONSTRAINT message_report_pkey PRIMARY KEY (id),
    CONSTRAINT message_report_once UNIQUE (reporter_id, message_id),
    CONSTRAINT message_report_reason
        CHECK (reason IN ('ABUSE', 'HATE', 'SEXUAL', 'SCAM', 'SPAM', 'OTHER')),
    CONSTRAINT message_report_note CHECK (length(note) <= 500),
    CONSTRAINT message_report_content CHECK (length(content) BETWEEN 1 AND 4000),
    CONSTRAINT message_report_resolved CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)
        AND (resolved_at IS NULL) = (resolution IS NULL))
);
-- The operators' list of open reports reads this index.
CREATE INDEX message_report_open ON message_report (id) WHERE resolved_at IS NULL;
-- The limit of reports counts a player's reports of the last hour by this index.
CREATE INDEX message_report_by_reporter ON message_report (reporter_id, created_at);
-- The sweep finds old reports by this index.
CREATE INDEX message_report_by_age ON message_report (created_at);
-- The media sweep keeps files that are evidence, and finds them by this index.
CREATE INDEX message_report_media ON message_report (content) WHERE chat_type <> 'TEXT';
COMMENT ON TABLE message_report IS 'Rows stay for a year (MESSAGE_RETENTION); the job that sweeps removes them.';

-- This table keeps the messages that operators hid, as they were, for evidence. The content in
-- `message` is erased.
CREATE TABLE hidden_message (
    message_id uuid        NOT NULL,
    room_id    uuid        NOT NULL,
    sender_id  uuid        NOT NULL,
    chat_type  text        NOT NULL,
    content    text        NOT NULL,
    sent_at    timestamptz NOT NULL,
    hidden_at  timestamptz NOT NULL,
    CONSTRAINT hidden_message_pkey PRIMARY KEY (message_id)
);
-- The sweep finds old rows by this index.
CREATE INDEX hidden_message_by_age ON hidden_message (hidden_at);
-- The media sweep keeps files that are evidence, and finds them by this index.
CREATE INDEX hidden_message_media ON hidden_message (content) WHERE chat_type <> 'TEXT';
COMMENT ON TABLE hidden_message IS 'Rows stay for a year (MESSAGE_RETENTION); the job that sweeps removes them.';

-- A block hides the messages of blocked_id from player_id.
CREATE TABLE player_block (
    player_id  uuid        NOT NULL,
    blocked_id uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT player_block_pkey PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT player_block_other CHECK (player_id <> blocked_id)
);
-- The erasure of a player whom others blocked finds these blocks by this index.
CREATE INDEX player_block_blocked ON player_block (blocked_id);
COMMENT ON TABLE player_block IS 'Rows stay until the player unblocks, or one of the two is erased. At most 200 for each player.';

-- A mute keeps a player from sending until a time.
CREATE TABLE player_mute (
    player_id uuid        NOT NULL,
    -- The nil UUID stands for all rooms.
    room_id   uuid        NOT NULL,
    until     timestamptz NOT NULL,
    CONSTRAINT player_mute_pkey PRIMARY KEY (player_id, room_id)
);
-- The sweep finds ended mutes by this index.
CREATE INDEX player_mute_by_end ON player_mute (until);
COMMENT ON TABLE player_mute IS 'Rows stay until the mute ends; the job that sweeps removes them.';

-- A room rule is what an operator set for sending in a room. A room without a row is open and has
-- no slow mode. There is no foreign key, because a room that is opened again has its rules.
CREATE TABLE room_rule (
    room_id           uuid    NOT NULL,
    closed            boolean NOT NULL,
    -- Sets the pause between two messages of a player; 0 switches slow mode off.
    slow_mode_seconds integer NOT NULL,
    CONSTRAINT room_rule_pkey PRIMARY KEY (room_id),
    CONSTRAINT room_rule_slow_mode CHECK (slow_mode_seconds BETWEEN 0 AND 3600)
);
COMMENT ON TABLE room_rule IS 'Rows stay for good: at most one for each room that an operator opened.';

-- Slow mode gives a player one turn to send in each pause. A row names the message that took the
-- player's last turn in a room.
CREATE TABLE slow_mode_turn (
    room_id    uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    message_id uuid        NOT NULL,
    taken_at   timestamptz NOT NULL,
    CONSTRAINT slow_mode_turn_pkey PRIMARY KEY (room_id, player_id)
);
-- The sweep finds old turns by this index.
CREATE INDEX slow_mode_turn_by_age ON slow_mode_turn (taken_at);
COMMENT ON TABLE slow_mode_turn IS 'Rows stay for an hour, the longest pause of slow mode; the job that sweeps removes them.';

-- The word filter refuses messages with these words, which are stored as operators wrote them.
CREATE TABLE filtered_word (
    word text NOT NULL,
    CONSTRAINT filtered_word_pkey PRIMARY KEY (word),
    CONSTRAINT filtered_word_length CHECK (length(word) BETWEEN 1 AND 60)
);
COMMENT ON TABLE filtered_word IS 'Rows stay until an operator sets other words. At most 2,000.';

-- The audit of safety records which operator did what, and why. It names things by id, without
-- the words of players.
CREATE TABLE safety_action (
    id       uuid        NOT NULL,
    operator text        NOT NULL,
    action   text        NOT NULL,
    subject  text        NOT NULL,
    details  jsonb       NOT NULL,
    reason   text        NOT NULL,
    at       timestamptz NOT NULL,
    CONSTRAINT safety_action_pkey PRIMARY KEY (id),
    CONSTRAINT safety_action_action CHECK (action IN ('ResolveReport', 'HideMessage', 'MutePlayer',
        'UnmutePlayer', 'CloseRoom', 'OpenRoom', 'SetSlowMode', 'SetWords')),
    CONSTRAINT safety_action_reason CHECK (length(reason) BETWEEN 1 AND 500)
);
COMMENT ON TABLE safety_action IS 'Rows stay for good: the audit of what operators did in rooms. Some thousand a year.';

-- A contact setting tells players how to reach the support.
CREATE TABLE contact_setting (
    name  text NOT NULL,
    value text NOT NULL,
    CONSTRAINT contact_setting_pkey PRIMARY KEY (name),
    CONSTRAINT contact_setting_name
        CHECK (name IN ('Email', 'Phone', 'Instagram', 'Twitter', 'Whatsapp'))
);
COMMENT ON TABLE contact_setting IS 'Rows stay until an operator removes them.';

-- The audit of content records which operator changed which room or contact setting.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    -- Holds the manifest after the change; null after a removal.
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('ChatRoom', 'ContactSetting')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- Feedback is a text that a player or a guest wrote to the support. An outbox row mails it.
CREATE TABLE feedback (
    -- The id is derived from the writer and the name that the writer's device gives the feedback,
    -- so that this key also keeps a repeated call from storing it twice.
    id         uuid        NOT NULL,
    -- Names the player who wrote the feedback; null for a guest.
    player_id  uuid,
    -- The support answers to this address.
    email      text        NOT NULL,
    subject    text        NOT NULL,
    message    text        NOT NULL,
    -- Holds the trace id of the call, by which an operator finds what went wrong.
    trace      text,
    created_at timestamptz NOT NULL,
    -- The mail server accepted the mail at this time, or refused it for good.
    mailed_at  timestamptz,
    CONSTRAINT feedback_pkey PRIMARY KEY (id),
    CONSTRAINT feedback_email CHECK (length(email) BETWEEN 3 AND 254),
    CONSTRAINT feedback_subject CHECK (length(subject) BETWEEN 1 AND 120),
    CONSTRAINT feedback_message CHECK (length(message) BETWEEN 1 AND 4000)
);
-- The rate limits count the recent feedback of a player, or from one address, by these indexes.
CREATE INDEX feedback_by_player ON feedback (player_id, created_at) WHERE player_id IS NOT NULL;
CREATE INDEX feedback_by_email ON feedback (email, created_at);
-- The sweep finds old feedback by this index.
CREATE INDEX feedback_by_age ON feedback (created_at);
COMMENT ON TABLE feedback IS 'Rows stay for a year (FEEDBACK_RETENTION); the job that sweeps removes them, and the erasure those of its player.';

-- A notification is an inbox row of a player, with its unread mark. It holds a kind and parameters
-- instead of words, because the words depend on the reader's language.
CREATE TABLE notification (
    player_id   uuid        NOT NULL,
    -- Ids sort by the time when the notification was stored.
    id          uuid        NOT NULL,
    -- No constraint lists the kinds: each feature adds one, and a replica that does not know a
    -- kind leaves its notifications out.
    kind        text        NOT NULL,
    -- Holds texts by name. The type is json, because parameters are listed as they were stored and
    -- never searched: PostgreSQL makes a text of jsonb for each reader, which is a quarter of what
    -- a page costs it.
    params      json        NOT NULL,
    -- Names the service that sent the notification.
    caller      text        NOT NULL,
    -- Names the cause of the notification in the caller's words.
    source      text        NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The player read the notification at this time; null while it is unread.
    read_at     timestamptz,
    -- Pages read this key backwards, the newest notification first.
    CONSTRAINT notification_pkey PRIMARY KEY (player_id, id),
    -- This key keeps a repeated call from storing the notification twice.
    CONSTRAINT notification_source UNIQUE (caller, source),
    CONSTRAINT notification_kind CHECK (length(kind) BETWEEN 1 AND 60),
    CONSTRAINT notification_source_length CHECK (length(source) BETWEEN 1 AND 255),
    CONSTRAINT notification_params CHECK (json_typeof(params) = 'object')
);
-- This index counts a player's unread notifications, and finds them to mark all as read.
CREATE INDEX notification_unread ON notification (player_id) WHERE read_at IS NULL;
-- The sweep finds old notifications by this index.
CREATE INDEX notification_by_age ON notification (created_at);
COMMENT ON TABLE notification IS 'Rows stay for 90 days (NOTIFICATION_RETENTION), read or not, or until their player is erased; the job that sweeps removes them.';

-- The settings of a player decide which notifications are pushed, and when.
CREATE TABLE notification_setting (
    player_id   uuid        NOT NULL,
    -- Lists the topics that are not pushed.
    muted       text[]      NOT NULL,
    -- Quiet hours are minutes after midnight in Africa/Nairobi. Both columns are null without
    -- quiet hours.
    quiet_from  smallint,
    quiet_until smallint,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT notification_setting_pkey PRIMARY KEY (player_id),
    CONSTRAINT notification_setting_muted CHECK (cardinality(muted) <= 20),
    CONSTRAINT notification_setting_quiet CHECK (
        (quiet_from IS NULL) = (quiet_until IS NULL)
        AND quiet_from BETWEEN 0 AND 1439
        AND quiet_until BETWEEN 0 AND 1439
        AND quiet_from <> quiet_until
    )
);
COMMENT ON TABLE notification_setting IS 'Rows stay until their player is erased: one small row for each player who changed a setting.';

-- A push subscription is a browser that a player's notifications are delivered to (Web Push).
CREATE TABLE push_subscription (
    id           uuid        NOT NULL,
    player_id    uuid        NOT NULL,
    -- Names the session that registered or refreshed the subscription last.
    session_id   uuid        NOT NULL,
    -- Holds the URL at which the browser's push service takes messages. Anyone who has the URL and
    -- the VAPID key that the browser subscribed with can send to the browser.
    endpoint     text        NOT NULL,
    -- p256dh and auth are the browser's public key and its secret (RFC 8291).
    p256dh       bytea       NOT NULL,
    auth         bytea       NOT NULL,
    language     text        NOT NULL,
    created_at   timestamptz NOT NULL,
    refreshed_at timestamptz NOT NULL,
    -- Counts the deliveries that failed in a row.
    failures     integer     NOT NULL DEFAULT 0,
    -- The next delivery may be tried at this time; null allows it at once.
    retry_at     timestamptz,
    CONSTRAINT push_subscription_pkey PRIMARY KEY (id),
    CONSTRAINT push_subscription_endpoint UNIQUE (endpoint),
    CONSTRAINT push_subscription_endpoint_length CHECK (length(endpoint) BETWEEN 1 AND 1000),
    CONSTRAINT push_subscription_p256dh CHECK (length(p256dh) = 65),
    CONSTRAINT push_subscription_auth CHECK (length(auth) = 16),
    CONSTRAINT push_subscription_language CHECK (language IN ('en', 'sw'))
);
-- This index lists a player's subscriptions, the latest refreshed first.
CREATE INDEX push_subscription_of_player ON push_subscription (player_id, refreshed_at DESC);
-- The sweep finds subscriptions without a recent refresh by this index.
CREATE INDEX push_subscription_by_age ON push_subscription (refreshed_at);
COMMENT ON TABLE push_subscription IS 'Rows stay until the player signs out, switches push off or is erased, the push service answers 404 or 410, or nothing refreshed them for 60 days (PUSH_SUBSCRIPTION_RETENTION); the job that sweeps push subscriptions removes the last.';

-- This table is the cursor of the job that erases here the accounts that svc-auth erased. The job
-- reads svc-auth's list page by page.
CREATE TABLE erasure_progress (
    -- This key allows one row only.
    id           boolean     NOT NULL DEFAULT true,
    -- last_id and last_at name the last player of svc-auth's list who is erased here; both are
    -- null before the first.
    last_id      uuid,
    last_at      timestamptz,
    -- page_end_id and page_end_at name the last player of the page whose messages are being
    -- erased; both are null between two pages.
    page_end_id  uuid,
    page_end_at  timestamptz,
    -- Names the last room that was searched for messages of the page; null between two pages.
    room_id      uuid,
    -- Until this time one replica erases, and no other.
    leased_until timestamptz NOT NULL,
    CONSTRAINT erasure_progress_pkey PRIMARY KEY (id),
    CONSTRAINT erasure_progress_one CHECK (id),
    CONSTRAINT erasure_progress_last CHECK ((last_id IS NULL) = (last_at IS NULL)),
    CONSTRAINT erasure_progress_page CHECK ((page_end_id IS NULL) = (page_end_at IS NULL)
        AND (page_end_id IS NULL) = (room_id IS NULL))
);
COMMENT ON TABLE erasure_progress IS 'Rows stay for good: there is one.';

-- The outbox holds the mails of feedback, the pushes of notifications and the messages that
-- mention players, until the relay delivers them. crates/mesh defines the table
-- (src/outbox/table.sql).
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Counts the attempts that ended without an outcome, because their process died or lost the
    -- database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- Is true while a relay holds the row and has not settled it; due_at is then the lease's end.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- The row became a dead letter at this time; null for a row that is still to be delivered.
    parked_at   timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (topic, id)
) WITH (
    -- Every attempt updates its row, so pages keep room for updates.
    fillfactor = 70,
    -- Rows come and go fast, so autovacuum starts after a fixed number of changes, whatever the
    -- size of the table, and does not pause.
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
-- The relay finds due rows by this index.
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
-- This index finds the dead letters of a topic.
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';

-- Triggers keep room_sequence and room_counts, so that no statement on rooms and memberships can
-- leave them out.

-- Adds the counters of a room that is opened.
CREATE FUNCTION add_room_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A room that is opened again has the id and the messages of the one that was removed.
    INSERT INTO room_sequence (room_id, messages, removals)
    SELECT NEW.id, COALESCE(max(seq), 0), COALESCE(max(removal), 0)
    FROM message WHERE room_id = NEW.id;
    INSERT INTO room_counts (room_id) VALUES (NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER room_counters AFTER INSERT ON room
    FOR EACH ROW EXECUTE FUNCTION add_room_counters();

-- Adds the memberships that a statement inserted to the counts of their rooms.
CREATE FUNCTION count_joined() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE room_counts SET members = room_counts.members + changed.members
    FROM (SELECT room_id, count(*) AS members FROM changed_rows GROUP BY room_id) AS changed
    WHERE room_counts.room_id = changed.room_id;
    RETURN NULL;
END $$;
CREATE TRIGGER membership_joined AFTER INSERT ON membership REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_joined();

-- Subtracts the memberships that a statement deleted from the counts of their rooms.
CREATE FUNCTION count_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE room_counts SET members = room_counts.members - changed.members
    FROM (SELECT room_id, count(*) AS members FROM changed_rows GROUP BY room_id) AS changed
    WHERE room_counts.room_id = changed.room_id;
    RETURN NULL;
END $$;
CREATE TRIGGER membership_left AFTER DELETE ON membership REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_left();

-- The job that erases accounts updates this row and never inserts one.
INSERT INTO erasure_progress (leased_until) VALUES ('epoch');
