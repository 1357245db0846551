-- FUND posts money that PlayOn paid into its M-Pesa account for promotions, by the receipt of the
-- transfer, which is that of one funding. Operations lock their own row before the journal, and so
-- does this migration.
ALTER TABLE money_operation
    DROP CONSTRAINT money_operation_kind,
    ADD CONSTRAINT money_operation_kind
        CHECK (kind IN ('CREDIT', 'REFUND', 'RELEASE', 'CONFIRM', 'APPROVE', 'OUTFLOW', 'FUND'))
        NOT VALID,
    DROP CONSTRAINT money_operation_second,
    ADD CONSTRAINT money_operation_second CHECK (state <> 'DONE' OR decided_by <> requested_by
        OR amount_cents <= 1000000 AND kind <> 'FUND') NOT VALID;
CREATE UNIQUE INDEX money_operation_funding ON money_operation (receipt)
    WHERE kind = 'FUND' AND state <> 'REFUSED';

-- Money of the promotions account that the awards of a contest may cost. It is a promise, not a
-- posting: the ledger changes when an award is paid.
CREATE TABLE promotion_reservation (
    id           uuid        NOT NULL,
    -- The contest, for operators.
    purpose      text        NOT NULL,
    -- All that is reserved, with what awards have paid of it.
    amount_cents bigint      NOT NULL,
    paid_cents   bigint      NOT NULL DEFAULT 0,
    -- From this time on the money is reserved no longer.
    until        timestamptz NOT NULL,
    CONSTRAINT promotion_reservation_pkey PRIMARY KEY (id),
    CONSTRAINT promotion_reservation_amount CHECK (amount_cents >= 0),
    CONSTRAINT promotion_reservation_paid CHECK (paid_cents >= 0)
);
CREATE INDEX promotion_reservation_open ON promotion_reservation (until, id)
    WHERE paid_cents < amount_cents;
COMMENT ON TABLE promotion_reservation IS 'Rows stay for good: one for each contest with awards of money.';

-- FUNDING is the journal of that money.
ALTER TABLE journal
    DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT', 'FEE', 'FORMER',
        'FUNDING')) NOT VALID;
