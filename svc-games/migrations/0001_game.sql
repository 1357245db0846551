-- The catalogue: few games, read by everybody, written by operators.

CREATE TABLE game (
    id           uuid        PRIMARY KEY,
    name         text        NOT NULL,
    -- The reverse-domain name of the game, as app stores have it.
    package_id   text        NOT NULL,
    description  text        NOT NULL,
    game_icon    text        NOT NULL,
    trailer_link text,
    game_url     text        NOT NULL,
    featured     boolean     NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT game_package UNIQUE (package_id),
    CONSTRAINT game_name CHECK (length(name) BETWEEN 1 AND 120)
);

-- The list's order. Ids break ties, so that it never flickers.
CREATE INDEX game_in_order ON game (featured DESC, name, id);
