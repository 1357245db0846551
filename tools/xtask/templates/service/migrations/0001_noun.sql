-- {{Nouns_words}}: few, read by everybody, written by operators.

CREATE TABLE {{noun}} (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT {{noun}}_name CHECK (length(name) BETWEEN 1 AND 120)
);

-- The list's order. Ids break ties, so that it never flickers.
CREATE INDEX {{noun}}_by_name ON {{noun}} (name, id);
