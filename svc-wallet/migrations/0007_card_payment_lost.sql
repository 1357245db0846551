-- no-transaction
CREATE INDEX CONCURRENTLY card_payment_lost ON card_payment (payment_id)
    WHERE dispute_resolution = 'merchant-accepted';
