-- Card by Paystack, and airtime by Safaricom's carrier billing.

-- Paystack's events have up to 64 KiB. What has no secret in its path has an empty hash.
ALTER TABLE callback_inbox
    DROP CONSTRAINT callback_size,
    ADD CONSTRAINT callback_size CHECK (octet_length(body) <= 65536);

-- A card payment's page and its result, one for each payment by card.
CREATE TABLE card_payment (
    payment_id         uuid        NOT NULL,
    -- The initialisations that were sent. The reference of the first is the payment's id; a
    -- later one has its number behind it.
    attempts           smallint    NOT NULL DEFAULT 0,
    -- Until when one call opens the page, by the database's clock.
    opening_until      timestamptz,
    -- The hosted page.
    page_url           text,
    -- Paystack's id of the transaction that paid: the receipt.
    receipt            text,
    -- The status that ended the payment, as Paystack has it.
    result             text,
    paid_at            timestamptz,
    -- What Paystack keeps, for the match with its settlement.
    fees_cents         bigint,
    -- Why a transaction that says "success" was not credited, for an operator.
    mismatch           text,
    verifies           integer     NOT NULL DEFAULT 0,
    -- When to verify it next; null when no verification is left.
    verify_due_at      timestamptz,
    leased_until       timestamptz,
    -- When the player's look last had it verified.
    looked_at          timestamptz,
    -- The card owner's dispute.
    dispute_id         text,
    dispute_state      text,
    dispute_resolution text,
    disputed_cents     bigint,
    disputed_at        timestamptz,
    created_at         timestamptz NOT NULL,
    CONSTRAINT card_payment_pkey PRIMARY KEY (payment_id),
    CONSTRAINT card_payment_receipt UNIQUE (receipt),
    CONSTRAINT card_payment_dispute CHECK (dispute_state IN ('OPEN', 'RESOLVED')),
    CONSTRAINT card_payment_disputed CHECK ((dispute_id IS NULL) = (dispute_state IS NULL))
);
CREATE INDEX card_payment_due ON card_payment (verify_due_at) WHERE verify_due_at IS NOT NULL;
-- Cases of operators.
CREATE INDEX card_payment_disputes ON card_payment (disputed_at) WHERE dispute_state = 'OPEN';
COMMENT ON TABLE card_payment IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- Money given back to a card.
CREATE TABLE card_refund (
    id           uuid        NOT NULL,
    payment_id   uuid        NOT NULL,
    amount_cents bigint      NOT NULL,
    state        text        NOT NULL,
    -- Paystack's id of it.
    provider_id  text,
    -- When to look for it at Paystack next; null when nothing is left to look for.
    check_due_at timestamptz,
    leased_until timestamptz,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT card_refund_pkey PRIMARY KEY (id),
    CONSTRAINT card_refund_provider UNIQUE (provider_id),
    CONSTRAINT card_refund_amount CHECK (amount_cents > 0),
    -- CREATED: not sent. SENDING: sent, or about to be when the process died. PENDING:
    -- Paystack has it. DONE, FAILED: it said how it ended.
    CONSTRAINT card_refund_state CHECK (state IN ('CREATED', 'SENDING', 'PENDING', 'DONE', 'FAILED'))
);
CREATE INDEX card_refund_of_payment ON card_refund (payment_id);
CREATE INDEX card_refund_due ON card_refund (check_due_at) WHERE check_due_at IS NOT NULL;
COMMENT ON TABLE card_refund IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- A charge to a phone's airtime, with the player's consent to it.
CREATE TABLE airtime_charge (
    payment_id      uuid        NOT NULL,
    -- Our id of the charge at the carrier: 128 random bits in hex.
    request_id      text        NOT NULL,
    msisdn          text        NOT NULL,
    -- The consent: what the player agreed to, and by which request.
    consented_at    timestamptz NOT NULL,
    consent_version text        NOT NULL,
    consent_player  uuid        NOT NULL,
    consent_request text        NOT NULL,
    consent_cents   bigint      NOT NULL,
    -- The carrier's id of the charge: the receipt.
    receipt         text,
    -- The code that ended the payment, as the carrier has it.
    result          text,
    paid_at         timestamptz,
    queries         integer     NOT NULL DEFAULT 0,
    query_due_at    timestamptz,
    leased_until    timestamptz,
    created_at      timestamptz NOT NULL,
    CONSTRAINT airtime_charge_pkey PRIMARY KEY (payment_id),
    CONSTRAINT airtime_charge_request UNIQUE (request_id),
    CONSTRAINT airtime_charge_receipt UNIQUE (receipt)
);
CREATE INDEX airtime_charge_due ON airtime_charge (query_due_at) WHERE query_due_at IS NOT NULL;
COMMENT ON TABLE airtime_charge IS 'Rows stay for good: they prove the consent to a charge. Nothing removes them yet.';
