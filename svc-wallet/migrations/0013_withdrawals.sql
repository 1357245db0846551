-- Withdrawals: payouts to phones by M-Pesa's B2C.

-- A payout to a phone, one for each withdrawal. Daraja knows it by the payment's id, its
-- OriginatorConversationID.
CREATE TABLE b2c_payout (
    payment_id      uuid        NOT NULL,
    msisdn          text        NOT NULL,
    created_at      timestamptz NOT NULL,
    -- Set just before Daraja is called. From then on its outcome is Daraja's to say.
    submitted_at    timestamptz,
    conversation_id text,
    result_code     text,
    receipt         text,
    paid_at         timestamptz,
    queries         integer     NOT NULL DEFAULT 0,
    -- When to ask Daraja what became of it; null when nothing is left to ask.
    query_due_at    timestamptz,
    -- Until when one replica asks, by the database's clock.
    leased_until    timestamptz,
    -- Why an operator must look at it.
    case_kind       text,
    case_since      timestamptz,
    CONSTRAINT b2c_payout_pkey PRIMARY KEY (payment_id),
    CONSTRAINT b2c_payout_conversation UNIQUE (conversation_id),
    CONSTRAINT b2c_payout_receipt UNIQUE (receipt),
    CONSTRAINT b2c_payout_case CHECK
        ((case_kind IS NULL) = (case_since IS NULL)
         AND case_kind IN ('UNKNOWN', 'OTHER_AMOUNT', 'PAID_AFTER_FAILURE', 'PAID_TWICE'))
);
COMMENT ON TABLE b2c_payout IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

CREATE INDEX b2c_payout_due ON b2c_payout (query_due_at) WHERE query_due_at IS NOT NULL;
CREATE INDEX b2c_payout_of_operators ON b2c_payout (case_since) WHERE case_kind IS NOT NULL;

-- SHA-256 of the secrets in the paths that Daraja calls about a payout: one for the payout
-- itself, and one for each query.
CREATE TABLE b2c_secret (
    secret_hash bytea       NOT NULL,
    payment_id  uuid        NOT NULL REFERENCES b2c_payout (payment_id),
    purpose     text        NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT b2c_secret_pkey PRIMARY KEY (secret_hash),
    CONSTRAINT b2c_secret_purpose CHECK (purpose IN ('PAYOUT', 'QUERY'))
);
COMMENT ON TABLE b2c_secret IS 'Rows stay for good: one for each payout, and up to 30 more for one that Daraja is queried about. Nothing removes them yet.';
