-- no-transaction
CREATE INDEX CONCURRENTLY b2c_payout_by_phone ON b2c_payout (msisdn, created_at)
    WHERE msisdn <> '';
