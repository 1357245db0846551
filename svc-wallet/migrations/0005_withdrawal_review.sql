-- The review of a withdrawal by an operator before it is sent: the reason, the figure of the rule,
-- the part that is fresh money, and the time by which operators decide. The columns keep their values
-- after the decision.
ALTER TABLE b2c_payout
    ADD COLUMN review_reason      text,
    ADD COLUMN review_over_cents  bigint,
    ADD COLUMN review_fresh_cents bigint,
    ADD COLUMN review_by          timestamptz,
    ADD CONSTRAINT b2c_payout_review CHECK ((review_reason IS NULL) = (review_by IS NULL)
        AND (review_reason IS NULL) = (review_fresh_cents IS NULL)
        AND review_reason IN ('DISPUTED', 'NEW_ACCOUNT', 'FRESH_MONEY', 'FIRST_WITHDRAWALS', 'DAY',
            'WEEK')) NOT VALID;
