-- Withdrawals and subscriptions are payments too.

ALTER TABLE payment
    DROP CONSTRAINT payment_kind,
    ADD CONSTRAINT payment_kind
        CHECK (kind IN ('TOPUP', 'BOOST', 'WITHDRAWAL', 'SUBSCRIPTION')),
    DROP CONSTRAINT payment_state,
    -- HELD: an operator looks at it first.
    ADD CONSTRAINT payment_state CHECK (state IN
        ('CREATED', 'HELD', 'SUBMITTING', 'SUBMITTED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CONFLICTED')),
    -- The package that a subscription is for.
    ADD COLUMN package text,
    ADD CONSTRAINT payment_package CHECK
        ((kind = 'SUBSCRIPTION') = (package IS NOT NULL)
         AND package IN ('bronze', 'silver', 'gold', 'platinum'));
