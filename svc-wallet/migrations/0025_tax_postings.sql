-- no-transaction
CREATE INDEX CONCURRENTLY posting_tax ON posting (account_id, created_at) INCLUDE (amount_cents)
    WHERE kind IN ('EXCISE', 'WITHHOLDING', 'REVERSAL') AND balance_after_cents IS NULL;
