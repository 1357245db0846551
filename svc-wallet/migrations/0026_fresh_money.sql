-- Each withdrawal stores the part of it that was fresh money, not only those that an operator looks
-- at. In earlier releases the column is
-- null for the withdrawals that no operator looked at.
ALTER TABLE b2c_payout
    DROP CONSTRAINT b2c_payout_review,
    ADD CONSTRAINT b2c_payout_review CHECK ((review_reason IS NULL) = (review_by IS NULL)
        AND (review_reason IS NULL OR review_fresh_cents IS NOT NULL)
        AND review_reason IN ('DISPUTED', 'NEW_ACCOUNT', 'FRESH_MONEY', 'FIRST_WITHDRAWALS', 'DAY',
            'WEEK', 'SHARED_PHONE')) NOT VALID;
