-- Contests over a span of time, written by operators.

CREATE TABLE tournament (
    id          uuid        PRIMARY KEY,
    name        text        NOT NULL,
    description text        NOT NULL,
    -- Of svc-games; checked when an operator applies it.
    game_id     uuid        NOT NULL,
    starts      timestamptz NOT NULL,
    ends        timestamptz NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT tournament_name CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT tournament_span CHECK (starts < ends)
);

-- The list's order, latest start first. Ids break ties, so that it never flickers.
CREATE INDEX tournament_in_order ON tournament (starts DESC, id);
