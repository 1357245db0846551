-- What keeps rooms safe: reports and blocks by players; mutes, closed rooms, slow mode, hidden
-- messages and words by operators.

-- A report has the message as it was, because its sender may erase it.
CREATE TABLE message_report (
    -- Sorts by the time of the report.
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
-- The operators' list.
CREATE INDEX message_report_open ON message_report (id) WHERE resolved_at IS NULL;
-- How many a player made in the last hour.
CREATE INDEX message_report_by_reporter ON message_report (reporter_id, created_at);
-- For the sweep.
CREATE INDEX message_report_by_age ON message_report (created_at);

-- Whose messages a player does not see. At most 200 for each player.
CREATE TABLE player_block (
    player_id  uuid        NOT NULL,
    blocked_id uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT player_block_pkey PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT player_block_other CHECK (player_id <> blocked_id)
);

-- Who may not send. The nil UUID stands for all rooms.
CREATE TABLE player_mute (
    player_id uuid        NOT NULL,
    room_id   uuid        NOT NULL,
    until     timestamptz NOT NULL,
    CONSTRAINT player_mute_pkey PRIMARY KEY (player_id, room_id)
);
-- For the sweep.
CREATE INDEX player_mute_by_end ON player_mute (until);

-- What an operator set for a room. Without a row the room is open, without slow mode. No
-- foreign key: a room that is opened again has its rules.
CREATE TABLE room_rule (
    room_id           uuid    NOT NULL,
    closed            boolean NOT NULL,
    -- 0 without slow mode.
    slow_mode_seconds integer NOT NULL,
    CONSTRAINT room_rule_pkey PRIMARY KEY (room_id),
    CONSTRAINT room_rule_slow_mode CHECK (slow_mode_seconds BETWEEN 0 AND 3600)
);

-- The last message for which slow mode gave a player the turn.
CREATE TABLE slow_mode_turn (
    room_id    uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    message_id uuid        NOT NULL,
    taken_at   timestamptz NOT NULL,
    CONSTRAINT slow_mode_turn_pkey PRIMARY KEY (room_id, player_id)
);
-- For the sweep.
CREATE INDEX slow_mode_turn_by_age ON slow_mode_turn (taken_at);

-- The words that no message may have, as operators wrote them.
CREATE TABLE filtered_word (
    word text NOT NULL,
    CONSTRAINT filtered_word_pkey PRIMARY KEY (word),
    CONSTRAINT filtered_word_length CHECK (length(word) BETWEEN 1 AND 60)
);

-- What an operator hid, as it was. The message itself is erased.
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
-- For the sweep.
CREATE INDEX hidden_message_by_age ON hidden_message (hidden_at);

-- Which operator did what, and why. Names things by id, without what players wrote.
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

COMMENT ON TABLE message_report IS 'Rows stay for a year (MESSAGE_RETENTION); the job that sweeps removes them.';
COMMENT ON TABLE player_block IS 'Rows stay until the player unblocks. At most 200 for each player.';
COMMENT ON TABLE player_mute IS 'Rows stay until the mute ends; the job that sweeps removes them.';
COMMENT ON TABLE room_rule IS 'Rows stay for good: at most one for each room that an operator opened.';
COMMENT ON TABLE slow_mode_turn IS 'Rows stay for an hour, the longest pause of slow mode; the job that sweeps removes them.';
COMMENT ON TABLE filtered_word IS 'Rows stay until an operator sets other words. At most 2,000.';
COMMENT ON TABLE hidden_message IS 'Rows stay for a year (MESSAGE_RETENTION); the job that sweeps removes them.';
COMMENT ON TABLE safety_action IS 'Rows stay for good: the audit of what operators did in rooms. Some thousand a year.';
