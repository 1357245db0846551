-- Charges to cards and airtime, and refunds to cards, that wait for an operator.

ALTER TABLE card_payment
    -- The operation that closed the mismatch.
    ADD COLUMN mismatch_operation_id uuid;
CREATE INDEX card_payment_mismatch ON card_payment (payment_id)
    WHERE mismatch IS NOT NULL AND mismatch_operation_id IS NULL;

ALTER TABLE card_refund
    -- When Paystack first said the opposite of how the refund had ended.
    ADD COLUMN contradicted_at timestamptz,
    -- The operation that closed the contradiction.
    ADD COLUMN contradiction_operation_id uuid;
CREATE INDEX card_refund_of_operators ON card_refund (payment_id)
    WHERE state IN ('SENDING', 'PENDING') AND check_due_at IS NULL
        OR contradicted_at IS NOT NULL AND contradiction_operation_id IS NULL;

CREATE INDEX airtime_charge_unknown ON airtime_charge (payment_id)
    WHERE query_due_at IS NULL AND result IS NULL;
