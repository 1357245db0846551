-- The smallest table that holds the messages of rooms.
CREATE SCHEMA IF NOT EXISTS yardstick;
DROP TABLE IF EXISTS yardstick.message;

CREATE TABLE yardstick.message (
    room_id    uuid        NOT NULL,
    seq        bigint      NOT NULL,
    player_id  uuid        NOT NULL,
    content    text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (room_id, seq)
);
