-- What Paystack keeps of a payment is posted: it owes PlayOn so much less.

ALTER TABLE journal
    DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT', 'FEE'));

-- The fees that were stored before.
SELECT ledger_post(gen_random_uuid(), 'FEE', payment_id, now(), house_account('PROVIDER_FEE'),
                   house_account('CARD_RECEIVABLE'), fees_cents, NULL, NULL, NULL)
FROM card_payment WHERE fees_cents > 0;

-- The cards of a day, for the match with Paystack's list.
CREATE INDEX card_payment_paid ON card_payment (paid_at) WHERE receipt IS NOT NULL;
