-- Withdrawals that M-Pesa paid twice: an operation posts what left the second time.

ALTER TABLE money_operation
    DROP CONSTRAINT money_operation_kind,
    ADD CONSTRAINT money_operation_kind
        CHECK (kind IN ('CREDIT', 'REFUND', 'RELEASE', 'CONFIRM', 'APPROVE', 'OUTFLOW'));
-- Cases of operators: whose loss a second payout is.
CREATE INDEX money_operation_outflow ON money_operation (payment_id) WHERE kind = 'OUTFLOW';
COMMENT ON COLUMN second_receipt.operation_id IS 'The operation that credited it, gave it back, posted it as a second payout, or closed it.';
