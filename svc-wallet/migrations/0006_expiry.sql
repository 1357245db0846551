-- Payments that still wait for news, by age: the oldest expire.
CREATE INDEX payment_open ON payment (created_at)
    WHERE state IN ('CREATED', 'SUBMITTING', 'SUBMITTED');
