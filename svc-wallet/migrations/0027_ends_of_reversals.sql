-- What ends reversals by M-Pesa whose outcome was unknown, or that contradict the books.

ALTER TABLE mpesa_reversal
    -- When an operator last had it sent again: it is overdue from then on.
    ADD COLUMN resent_at timestamptz,
    -- When PlayOn bore the loss of one that M-Pesa carried out after its money had been
    -- returned.
    ADD COLUMN loss_borne_at timestamptz;
-- One receipt of M-Pesa is of one reversal.
CREATE UNIQUE INDEX mpesa_reversal_receipt ON mpesa_reversal (reversal_receipt)
    WHERE reversal_receipt IS NOT NULL;
COMMENT ON TABLE mpesa_reversal_secret IS 'Rows stay for good: one for each call, and one for each query that was about to be sent, which are up to 30 unless Daraja refuses them. Nothing removes them yet.';
