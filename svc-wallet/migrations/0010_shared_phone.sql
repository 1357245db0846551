-- A withdrawal is held for an operator also when players who share a phone withdraw much to it.
ALTER TABLE b2c_payout
    DROP CONSTRAINT b2c_payout_review,
    ADD CONSTRAINT b2c_payout_review CHECK ((review_reason IS NULL) = (review_by IS NULL)
        AND (review_reason IS NULL) = (review_fresh_cents IS NULL)
        AND review_reason IN ('DISPUTED', 'NEW_ACCOUNT', 'FRESH_MONEY', 'FIRST_WITHDRAWALS', 'DAY',
            'WEEK', 'SHARED_PHONE')) NOT VALID;
