-- Subscriptions: what players hold, and which payment bought which day of it. And what players
-- paid for from outside their wallets, which their histories show too.

-- A package that a player holds, or held, without a gap.
CREATE TABLE subscription (
    id         uuid        NOT NULL,
    player_id  uuid        NOT NULL,
    package    text        NOT NULL,
    starts_at  timestamptz NOT NULL,
    -- Each day that is bought while it runs moves it by 24 hours; a day that is given back
    -- moves it towards the present.
    expires_at timestamptz NOT NULL,
    CONSTRAINT subscription_pkey PRIMARY KEY (id),
    CONSTRAINT subscription_package CHECK (package IN ('bronze', 'silver', 'gold', 'platinum')),
    CONSTRAINT subscription_order CHECK (expires_at >= starts_at)
);
COMMENT ON TABLE subscription IS 'Rows stay for good: they say what payments bought. Nothing removes them yet.';

-- What a player holds now or held at a time, and what is listed.
CREATE INDEX subscription_of_player ON subscription (player_id, expires_at);

-- The day that a payment bought. Without a reference to payment, whose rows are in months.
CREATE TABLE subscription_day (
    payment_id      uuid        NOT NULL,
    subscription_id uuid        NOT NULL REFERENCES subscription (id),
    granted_at      timestamptz NOT NULL,
    -- When the rest of it was taken away, because its payment was given back.
    revoked_at      timestamptz,
    CONSTRAINT subscription_day_pkey PRIMARY KEY (payment_id)
);
COMMENT ON TABLE subscription_day IS 'Rows stay for good: they say what payments bought. Nothing removes them yet.';

-- The next place in the order of all histories: that of the postings.
CREATE FUNCTION history_position() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT nextval(pg_get_serial_sequence('public.posting', 'seq'))
$$;

-- A boost or a package that was paid by M-Pesa, card or airtime: a line of its payer's history,
-- though the payer's wallet did not change. The ledger has the money.
CREATE TABLE outside_payment (
    payer_id        uuid        NOT NULL,
    seq             bigint      NOT NULL DEFAULT history_position(),
    -- The payment, and the line's id.
    payment_id      uuid        NOT NULL,
    kind            text        NOT NULL,
    amount_cents    bigint      NOT NULL,
    -- The friend who was boosted, or the house account that has the money.
    counterparty_id uuid        NOT NULL,
    -- What no id can say: the package.
    detail          text,
    created_at      timestamptz NOT NULL,
    CONSTRAINT outside_payment_pkey PRIMARY KEY (payer_id, seq),
    CONSTRAINT outside_payment_once UNIQUE (payment_id),
    CONSTRAINT outside_payment_kind CHECK (kind IN ('BOOST', 'SUBSCRIPTION')),
    CONSTRAINT outside_payment_amount CHECK (amount_cents > 0)
);
COMMENT ON TABLE outside_payment IS 'Rows stay for good: they are lines of histories, as postings are. Nothing removes them yet.';

-- The boosts that were paid so far.
INSERT INTO outside_payment
    (payer_id, payment_id, kind, amount_cents, counterparty_id, created_at)
SELECT payer_id, id, kind, amount_cents, beneficiary_id, updated_at FROM payment
WHERE kind = 'BOOST' AND method <> 'WALLET' AND state = 'SUCCEEDED' ORDER BY updated_at;
