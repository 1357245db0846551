-- Files that are in use although no message has them: those of evidence, and those of text
-- messages, which is what the specification makes of a text file.

-- For the media sweep, as message_media is. A text of that length is an address at most.
CREATE INDEX message_text_file ON message (content)
    WHERE chat_type = 'TEXT' AND content LIKE '/media/chat/%' AND length(content) <= 200
        AND removal IS NULL;
CREATE INDEX message_report_media ON message_report (content) WHERE chat_type <> 'TEXT';
CREATE INDEX hidden_message_media ON hidden_message (content) WHERE chat_type <> 'TEXT';

-- Rooms that operators removed. Their messages stay for a while, because a room that is opened
-- again has them.
CREATE TABLE removed_room (
    room_id    uuid        NOT NULL,
    removed_at timestamptz NOT NULL,
    CONSTRAINT removed_room_pkey PRIMARY KEY (room_id)
);
COMMENT ON TABLE removed_room IS 'Rows stay until the room is opened again, or until its messages are gone, 30 days after it was removed; the job that sweeps messages removes both.';
