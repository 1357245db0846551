-- M-Pesa payments that Daraja gives back by its reversal.

-- One row for each refund to M-Pesa that Daraja carries out; the id is the operation's. The
-- money left the wallet, or suspense, in the operation's transaction.
CREATE TABLE mpesa_reversal (
    id               uuid        NOT NULL,
    payment_id       uuid        NOT NULL,
    -- The receipt of the payment that is given back, whole.
    receipt          text        NOT NULL,
    amount_cents     bigint      NOT NULL,
    -- Where the money was, and where it returns to when M-Pesa refuses.
    source           text        NOT NULL,
    state            text        NOT NULL,
    -- Calls that may have reached Daraja.
    attempts         integer     NOT NULL DEFAULT 0,
    -- Daraja's id of the last call.
    conversation_id  text,
    result_code      text,
    -- M-Pesa's receipt of the reversal itself.
    reversal_receipt text,
    -- When the last call was made.
    submitted_at     timestamptz,
    queries          integer     NOT NULL DEFAULT 0,
    -- When to ask Daraja what became of it; null when nothing is left to ask.
    query_due_at     timestamptz,
    -- Until when one replica asks, by the database's clock.
    leased_until     timestamptz,
    -- Why an operator must look at it.
    case_kind        text,
    case_since       timestamptz,
    -- The trace of the operation.
    traceparent      text,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT mpesa_reversal_pkey PRIMARY KEY (id),
    CONSTRAINT mpesa_reversal_conversation UNIQUE (conversation_id),
    CONSTRAINT mpesa_reversal_amount CHECK (amount_cents > 0),
    CONSTRAINT mpesa_reversal_source CHECK (source IN ('WALLET', 'SUSPENSE', 'SECOND_RECEIPT')),
    -- CREATED: not sent. SUBMITTING: sent, or about to be when the process died. SUBMITTED:
    -- Daraja has it. UNKNOWN: it may have been carried out or not, and is not sent again
    -- unless an operator has it sent. SUCCEEDED, FAILED: it is known how it ended.
    CONSTRAINT mpesa_reversal_state CHECK
        (state IN ('CREATED', 'SUBMITTING', 'SUBMITTED', 'UNKNOWN', 'SUCCEEDED', 'FAILED')),
    CONSTRAINT mpesa_reversal_case CHECK
        ((case_kind IS NULL) = (case_since IS NULL)
         AND case_kind IN ('UNKNOWN', 'OTHER_AMOUNT', 'REVERSED_AFTER_FAILURE'))
);
-- A receipt is given back once: two operations cannot both have it sent.
CREATE UNIQUE INDEX mpesa_reversal_once ON mpesa_reversal (receipt) WHERE state <> 'FAILED';
-- For the log of a payment, and what the books have of it.
CREATE INDEX mpesa_reversal_of_payment ON mpesa_reversal (payment_id);
CREATE INDEX mpesa_reversal_due ON mpesa_reversal (query_due_at) WHERE query_due_at IS NOT NULL;
-- Cases of operators, and the metric of them.
CREATE INDEX mpesa_reversal_open ON mpesa_reversal (created_at)
    WHERE state NOT IN ('SUCCEEDED', 'FAILED') OR case_kind IS NOT NULL;
COMMENT ON TABLE mpesa_reversal IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- SHA-256 of the secrets in the paths that Daraja calls about a reversal: one for each call,
-- and one for each query.
CREATE TABLE mpesa_reversal_secret (
    secret_hash bytea       NOT NULL,
    reversal_id uuid        NOT NULL REFERENCES mpesa_reversal (id),
    purpose     text        NOT NULL,
    -- Which call it is of; a query has that of the last one.
    attempt     integer     NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT mpesa_reversal_secret_pkey PRIMARY KEY (secret_hash),
    CONSTRAINT mpesa_reversal_secret_purpose CHECK (purpose IN ('REVERSAL', 'QUERY'))
);
-- For the log of a payment.
CREATE INDEX mpesa_reversal_secret_of ON mpesa_reversal_secret (reversal_id);
COMMENT ON TABLE mpesa_reversal_secret IS 'Rows stay for good: one for each call, and up to 30 more for one that Daraja is queried about. Nothing removes them yet.';

ALTER TABLE money_operation
    -- What is left to do in a provider's portal: the books alone have it.
    ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
    -- The reversal that it ordered, had sent again, or ended.
    ADD COLUMN reversal_id uuid;
