-- Rooms that players join, opened by operators.

CREATE TABLE room (
    id            uuid        PRIMARY KEY,
    -- The room's name in paths and profiles.
    chat_room_uid text        NOT NULL,
    name          text        NOT NULL,
    icon          text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT room_uid UNIQUE (chat_room_uid),
    CONSTRAINT room_name CHECK (length(name) BETWEEN 1 AND 120)
);

-- Who has joined which.
CREATE TABLE membership (
    room_id   uuid        NOT NULL REFERENCES room (id),
    player_id uuid        NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (room_id, player_id)
);

-- The list's order. Ids break ties, so that it never flickers.
CREATE INDEX room_by_name ON room (name, id);
