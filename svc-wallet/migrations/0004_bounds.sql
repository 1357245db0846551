-- What bounds need: how often a phone was rung, when a message may go, and a
-- ledger that not even TRUNCATE empties.

ALTER TABLE stk_push ADD COLUMN created_at timestamptz;
UPDATE stk_push SET created_at = payment.created_at
    FROM payment WHERE payment.id = stk_push.payment_id;
ALTER TABLE stk_push ALTER COLUMN created_at SET NOT NULL;

CREATE INDEX stk_push_of_phone ON stk_push (msisdn, created_at);

-- Messages that something became of, by age.
CREATE INDEX callback_done ON callback_inbox (received_at) WHERE outcome IS NOT NULL;

CREATE TRIGGER journal_stays BEFORE TRUNCATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER posting_stays BEFORE TRUNCATE ON posting
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
