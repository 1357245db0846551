-- FORMER is money that an erased account left, moved to the new wallet of its player.
ALTER TABLE journal
    DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT', 'FEE', 'FORMER')) NOT VALID;

-- The sweep finds by this index the boosts that did not succeed and still have their payer's name.
CREATE INDEX payment_named ON payment (updated_at)
    WHERE detail IS NOT NULL AND state IN ('FAILED', 'EXPIRED');
COMMENT ON COLUMN payment.detail IS 'Of a boost: the payer''s name, for the notification. Removed once it succeeded, or INBOX_RETENTION after it failed.';
