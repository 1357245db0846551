-- The limits that players set on their own spending. Each payment into PlayOn and each package reads
-- them.
CREATE TABLE spending_limit (
    player_id      uuid        NOT NULL,
    kind           text        NOT NULL,
    period         text        NOT NULL,
    -- Null when the player has no limit.
    limit_cents    bigint,
    -- The limit from next_begins_at on, where a change is to come; null when it ends then.
    next_cents     bigint,
    next_begins_at timestamptz,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT spending_limit_pkey PRIMARY KEY (player_id, kind, period),
    CONSTRAINT spending_limit_kind CHECK (kind IN ('MONEY_IN', 'PACKAGES')),
    CONSTRAINT spending_limit_period CHECK (period IN ('DAY', 'WEEK', 'MONTH')),
    CONSTRAINT spending_limit_amounts CHECK (limit_cents > 0 AND next_cents > 0),
    CONSTRAINT spending_limit_next CHECK (next_cents IS NULL OR next_begins_at IS NOT NULL)
);
COMMENT ON TABLE spending_limit IS 'Rows stay for good, as the player''s wallet does. Nothing removes them yet.';
