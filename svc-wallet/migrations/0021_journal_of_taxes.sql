-- EXCISE and WITHHOLDING are the journals of taxes that are taken of money in a wallet; the ref is
-- the payment or award that brought the money.
ALTER TABLE journal
    DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT', 'FEE', 'FORMER',
        'FUNDING', 'EXCISE', 'WITHHOLDING')) NOT VALID;
