-- The top-ups and boosts by card whose owner has won a dispute, while the money that the card got
-- back is still in the wallet. An operator's refund takes the money out.
CREATE VIEW lost_dispute AS
    SELECT card.payment_id
    FROM card_payment card JOIN payment ON payment.id = card.payment_id
    WHERE dispute_resolution = 'merchant-accepted' AND payment.state = 'SUCCEEDED'
        AND payment.kind IN ('TOPUP', 'BOOST')
        AND coalesce(disputed_cents, payment.amount_cents) > (
            SELECT coalesce(sum(operation.amount_cents), 0)
            FROM money_operation operation
            WHERE operation.payment_id = card.payment_id
                AND operation.kind = 'REFUND' AND operation.state = 'DONE'
                AND NOT EXISTS (SELECT FROM card_refund refund
                                WHERE refund.id = operation.id AND refund.state = 'FAILED'));

-- The names of operators are read in small letters from now on, so that an operation that waits is
-- not decided by the person who asked for it.
UPDATE money_operation SET requested_by = lower(requested_by)
    WHERE state = 'WAITING' AND requested_by <> lower(requested_by);
