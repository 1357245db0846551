-- no-transaction
CREATE INDEX CONCURRENTLY posting_prize ON posting (account_id, created_at) INCLUDE (amount_cents)
    WHERE kind = 'AWARD';
