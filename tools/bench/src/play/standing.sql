-- The smallest table that holds the best score of each player in a tournament.
CREATE SCHEMA IF NOT EXISTS yardstick;
DROP TABLE IF EXISTS yardstick.standing;

CREATE TABLE yardstick.standing (
    tournament_id uuid        NOT NULL,
    player_id     uuid        NOT NULL,
    points        integer     NOT NULL,
    trust         text        NOT NULL,
    reached_at    timestamptz NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
