-- Messages, numbered in each room from 1 without gaps, and the counters of rooms.

-- The numbers that a room gave last. A row of its own, so that senders lock nothing else: a
-- sender's statement takes the next number and inserts with it, and the lock ends with that
-- statement's transaction. A number is therefore given only after all lower ones are visible.
CREATE TABLE room_sequence (
    room_id  uuid   PRIMARY KEY REFERENCES room (id) ON DELETE CASCADE,
    -- Of the newest message.
    messages bigint NOT NULL DEFAULT 0,
    -- Of the newest removal.
    removals bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20); -- Updates stay on the page, beside the versions that they replace.

-- How many members a room has. Not in room_sequence: joining does not wait for senders.
CREATE TABLE room_counts (
    room_id uuid   PRIMARY KEY REFERENCES room (id) ON DELETE CASCADE,
    members bigint NOT NULL DEFAULT 0,
    CONSTRAINT room_counts_members CHECK (members >= 0)
) WITH (fillfactor = 20);

INSERT INTO room_sequence (room_id) SELECT id FROM room;
INSERT INTO room_counts (room_id, members)
SELECT id, (SELECT count(*) FROM membership WHERE room_id = room.id) FROM room;

-- By triggers, so that no statement on rooms and memberships can leave them out.
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

CREATE FUNCTION count_joined() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE room_counts SET members = room_counts.members + changed.members
    FROM (SELECT room_id, count(*) AS members FROM changed_rows GROUP BY room_id) AS changed
    WHERE room_counts.room_id = changed.room_id;
    RETURN NULL;
END $$;
CREATE TRIGGER membership_joined AFTER INSERT ON membership REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_joined();

CREATE FUNCTION count_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE room_counts SET members = room_counts.members - changed.members
    FROM (SELECT room_id, count(*) AS members FROM changed_rows GROUP BY room_id) AS changed
    WHERE room_counts.room_id = changed.room_id;
    RETURN NULL;
END $$;
CREATE TRIGGER membership_left AFTER DELETE ON membership REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_left();

-- A player's rooms.
CREATE INDEX membership_by_player ON membership (player_id, room_id);

-- Without a foreign key to the room: checking it would lock the room's row for each message.
-- Those of a room that was removed cannot be read until it is opened again, and go with
-- their age.
CREATE TABLE message (
    room_id    uuid        NOT NULL,
    seq        bigint      NOT NULL,
    -- Follows from the player and what the player's device calls the message, so that this
    -- key also keeps a repeated call from storing it twice.
    id         uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    chat_type  text        NOT NULL,
    -- A text, or the URL of a file; empty once removed.
    content    text        NOT NULL,
    created_at timestamptz NOT NULL,
    -- The number of its removal.
    removal    bigint,
    -- Pages and streams read ranges of it.
    CONSTRAINT message_pkey PRIMARY KEY (room_id, seq),
    CONSTRAINT message_id UNIQUE (id),
    CONSTRAINT message_seq CHECK (seq > 0),
    CONSTRAINT message_chat_type
        CHECK (chat_type IN ('TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT')),
    CONSTRAINT message_content CHECK (length(content) <= 4000),
    CONSTRAINT message_removed CHECK ((content = '') = (removal IS NOT NULL))
);
CREATE INDEX message_removals ON message (room_id, removal) WHERE removal IS NOT NULL;
-- For the sweep. Messages are stored in the order of their times, nearly, so that ranges of
-- blocks do: a B-tree would cost each message an entry more.
CREATE INDEX message_by_age ON message USING brin (created_at)
    WITH (pages_per_range = 32, autosummarize = on);

COMMENT ON TABLE room_sequence IS 'Rows stay as long as their room.';
COMMENT ON TABLE room_counts IS 'Rows stay as long as their room.';
COMMENT ON TABLE message IS 'Rows stay for a year (MESSAGE_RETENTION), removed or not; the job that sweeps removes them.';
