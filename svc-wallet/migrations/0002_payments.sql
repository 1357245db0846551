-- Payments: what a player asked for, and what the provider made of it.

CREATE TABLE payment_method (
    id       uuid    PRIMARY KEY,
    code     text    NOT NULL UNIQUE,
    name     text    NOT NULL,
    position integer NOT NULL,
    CONSTRAINT payment_method_code
        CHECK (code IN ('WALLET', 'MPESA', 'CARD', 'SAFARICOM_CREDIT', 'PAYPAL'))
);

INSERT INTO payment_method (id, code, name, position) VALUES
    ('00000000-0000-7000-8000-000000000101', 'MPESA', 'M-Pesa', 1),
    ('00000000-0000-7000-8000-000000000102', 'CARD', 'Card', 2),
    ('00000000-0000-7000-8000-000000000103', 'WALLET', 'Wallet', 3),
    ('00000000-0000-7000-8000-000000000104', 'SAFARICOM_CREDIT', 'Safaricom airtime', 4),
    ('00000000-0000-7000-8000-000000000105', 'PAYPAL', 'PayPal', 5);

CREATE TABLE payment (
    id             uuid        PRIMARY KEY,
    kind           text        NOT NULL,
    method         text        NOT NULL REFERENCES payment_method (code),
    payer_id       uuid        NOT NULL,
    beneficiary_id uuid        NOT NULL,
    amount_cents   bigint      NOT NULL,
    fee_cents      bigint      NOT NULL DEFAULT 0,
    state          text        NOT NULL,
    -- Why it ended without money having moved.
    failure        text,
    -- The line on the receipt of whoever gets the money.
    detail         text        NOT NULL,
    -- The payer's own name for the attempt, and a digest of what was asked.
    request_id     text        NOT NULL,
    fingerprint    text        NOT NULL,
    -- The trace of the tap: whatever settles this payment goes on with it.
    traceparent    text,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT payment_request UNIQUE (payer_id, request_id),
    CONSTRAINT payment_amount CHECK (amount_cents > 0 AND fee_cents >= 0),
    CONSTRAINT payment_kind CHECK (kind IN ('TOPUP', 'BOOST')),
    CONSTRAINT payment_state CHECK (state IN
        ('CREATED', 'SUBMITTING', 'SUBMITTED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CONFLICTED')),
    CONSTRAINT payment_failure CHECK
        ((failure IS NOT NULL) = (state IN ('FAILED', 'EXPIRED', 'CONFLICTED')))
);

-- What a player has paid in today.
CREATE INDEX payment_of_payer ON payment (payer_id, created_at);

-- A push to a phone (Lipa na M-Pesa Online), one a payment.
CREATE TABLE stk_push (
    payment_id          uuid        PRIMARY KEY REFERENCES payment (id),
    -- SHA-256 of the secret in the callback's path; set just before the push.
    secret_hash         bytea,
    msisdn              text        NOT NULL,
    merchant_request_id text,
    checkout_request_id text,
    result_code         text,
    receipt             text,
    paid_at             timestamptz,
    queries             integer     NOT NULL DEFAULT 0,
    -- When to ask Daraja what became of it; null when nothing is left to ask.
    query_due_at        timestamptz,
    CONSTRAINT stk_push_secret UNIQUE (secret_hash),
    CONSTRAINT stk_push_checkout UNIQUE (checkout_request_id),
    CONSTRAINT stk_push_receipt UNIQUE (receipt)
);

CREATE INDEX stk_push_due ON stk_push (query_due_at) WHERE query_due_at IS NOT NULL;

-- Everything that ever happened to a payment.
CREATE TABLE payment_event (
    payment_id uuid        NOT NULL REFERENCES payment (id),
    seq        bigint      GENERATED ALWAYS AS IDENTITY,
    state      text        NOT NULL,
    cause      text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (payment_id, seq)
);

-- What providers told us, as it came, once per content.
CREATE TABLE callback_inbox (
    id           uuid        PRIMARY KEY,
    provider     text        NOT NULL,
    content_hash bytea       NOT NULL,
    secret_hash  bytea       NOT NULL,
    body         bytea       NOT NULL,
    source_ip    text        NOT NULL,
    received_at  timestamptz NOT NULL,
    -- What became of it; null until the outbox has had it applied.
    outcome      text,
    CONSTRAINT callback_once UNIQUE (provider, content_hash),
    CONSTRAINT callback_size CHECK (octet_length(body) <= 16384)
);
