-- What operators do with money, and what waits for them.

CREATE TABLE money_operation (
    id              uuid        NOT NULL,
    requested_by    text        NOT NULL,
    -- The operator's name for the attempt, and a digest of what was asked.
    request_id      text        NOT NULL,
    fingerprint     text        NOT NULL,
    kind            text        NOT NULL,
    state           text        NOT NULL,
    payment_id      uuid,
    player_id       uuid,
    -- What moves, whether or not the request named it.
    amount_cents    bigint      NOT NULL,
    receipt         text,
    reason          text        NOT NULL,
    requested_at    timestamptz NOT NULL,
    decided_by      text,
    decision_reason text,
    decided_at      timestamptz,
    -- The journal that it posted; null for one that moves nothing in the ledger.
    journal_id      uuid,
    CONSTRAINT money_operation_pkey PRIMARY KEY (id),
    CONSTRAINT money_operation_request UNIQUE (requested_by, request_id),
    CONSTRAINT money_operation_amount CHECK (amount_cents > 0),
    CONSTRAINT money_operation_kind
        CHECK (kind IN ('CREDIT', 'REFUND', 'RELEASE', 'CONFIRM', 'APPROVE')),
    CONSTRAINT money_operation_state CHECK (state IN ('WAITING', 'DONE', 'REFUSED')),
    CONSTRAINT money_operation_decided CHECK ((state = 'WAITING') = (decided_at IS NULL)),
    -- What a second operator is needed for is carried out by two.
    CONSTRAINT money_operation_second CHECK
        (state <> 'DONE' OR amount_cents <= 1000000 OR decided_by <> requested_by)
);
CREATE INDEX money_operation_of_payment ON money_operation (payment_id);
CREATE INDEX money_operation_waiting ON money_operation (id) WHERE state = 'WAITING';
COMMENT ON TABLE money_operation IS 'Rows stay for good: they say who moved money by hand, and why. Some thousand a year.';

-- Who did what with which operation or break.
CREATE TABLE money_audit (
    id         uuid        NOT NULL,
    -- An operation or a break.
    subject_id uuid        NOT NULL,
    payment_id uuid,
    operator   text        NOT NULL,
    action     text        NOT NULL,
    reason     text        NOT NULL,
    at         timestamptz NOT NULL,
    CONSTRAINT money_audit_pkey PRIMARY KEY (id),
    CONSTRAINT money_audit_action CHECK (action IN ('REQUESTED', 'DONE', 'REFUSED', 'RESOLVED'))
);
CREATE INDEX money_audit_of_payment ON money_audit (payment_id);
CREATE FUNCTION money_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'money_audit is append-only'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;
CREATE TRIGGER money_audit_append_only BEFORE UPDATE OR DELETE ON money_audit
    FOR EACH ROW EXECUTE FUNCTION money_audit_is_append_only();
CREATE TRIGGER money_audit_stays BEFORE TRUNCATE ON money_audit
    FOR EACH STATEMENT EXECUTE FUNCTION money_audit_is_append_only();
COMMENT ON TABLE money_audit IS 'Rows stay for good: the audit of money moved by hand, and a trigger refuses what removes them.';

-- A receipt of a payment that has another one: the payer may have paid twice. The ledger
-- has the first alone.
CREATE TABLE second_receipt (
    receipt      text        NOT NULL,
    payment_id   uuid        NOT NULL,
    -- As the provider said it; a message may lack it.
    amount_cents bigint,
    paid_at      timestamptz,
    found_at     timestamptz NOT NULL,
    -- The operation that credited it, or gave it back.
    operation_id uuid,
    CONSTRAINT second_receipt_pkey PRIMARY KEY (receipt)
);
CREATE INDEX second_receipt_of_payment ON second_receipt (payment_id);
CREATE INDEX second_receipt_open ON second_receipt (payment_id) WHERE operation_id IS NULL;
COMMENT ON TABLE second_receipt IS 'Rows stay for good: they belong to records of payment. A few a month.';

-- A difference between a provider's statement and what we have.
CREATE TABLE recon_break (
    id           uuid        NOT NULL,
    provider     text        NOT NULL,
    reference    text        NOT NULL,
    kind         text        NOT NULL,
    -- The day of the statement, in Nairobi.
    day          date        NOT NULL,
    ours_cents   bigint,
    theirs_cents bigint,
    found_at     timestamptz NOT NULL,
    resolved_at  timestamptz,
    -- The operator, or null for the daily match itself.
    resolved_by  text,
    resolution   text,
    CONSTRAINT recon_break_pkey PRIMARY KEY (id),
    CONSTRAINT recon_break_once UNIQUE (provider, reference, kind),
    CONSTRAINT recon_break_provider CHECK (provider IN ('MPESA', 'PAYSTACK')),
    CONSTRAINT recon_break_kind CHECK (kind IN ('MISSING_OURS', 'MISSING_THEIRS', 'AMOUNT_DIFFERS')),
    CONSTRAINT recon_break_resolved CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
CREATE INDEX recon_break_open ON recon_break (id) WHERE resolved_at IS NULL;
CREATE INDEX recon_break_done ON recon_break (resolved_at) WHERE resolved_at IS NOT NULL;
COMMENT ON TABLE recon_break IS 'Rows stay for 400 days once they are resolved; the job sweep removes them. An open one stays.';

-- What runs once a day, and which day it has done.
CREATE TABLE daily_job (
    name         text        NOT NULL,
    -- The day in Nairobi.
    done_for     date        NOT NULL,
    -- What the last round found.
    found        bigint      NOT NULL DEFAULT 0,
    -- Until when one replica runs it, by the database's clock.
    leased_until timestamptz,
    CONSTRAINT daily_job_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE daily_job IS 'Rows stay for good: one for each job.';

-- What a provider last said that we have there to pay out.
CREATE TABLE provider_float (
    provider        text        NOT NULL,
    available_cents bigint      NOT NULL,
    said_at         timestamptz NOT NULL,
    CONSTRAINT provider_float_pkey PRIMARY KEY (provider)
);
COMMENT ON TABLE provider_float IS 'Rows stay for good: one for each provider that pays out.';

-- Payments that wait for an operator.
CREATE INDEX payment_of_operators ON payment (id) WHERE state IN ('HELD', 'CONFLICTED');

-- Whose callbacks are counted, and shown to operators.
CREATE INDEX callback_of_secret ON callback_inbox (secret_hash);
-- A day's receipts.
CREATE INDEX stk_push_paid ON stk_push (paid_at) WHERE receipt IS NOT NULL;
