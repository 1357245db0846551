-- What operators publish: subscription packages, how payment methods are shown, and who
-- changed what.

CREATE TABLE subscription_package (
    id           uuid   NOT NULL,
    -- The operators' name of it. Its tier follows from it.
    key          text   NOT NULL,
    description  text   NOT NULL,
    -- The price of a day.
    amount_cents bigint NOT NULL,
    CONSTRAINT subscription_package_pkey PRIMARY KEY (id),
    CONSTRAINT subscription_package_key UNIQUE (key),
    CONSTRAINT subscription_package_tier CHECK (key IN ('bronze', 'silver', 'gold', 'platinum')),
    CONSTRAINT subscription_package_amount CHECK (amount_cents > 0)
);
COMMENT ON TABLE subscription_package IS 'Rows stay until an operator removes them. There are four at most.';

-- A method that is not enabled is not listed, and pays for nothing new.
ALTER TABLE payment_method ADD COLUMN enabled boolean NOT NULL DEFAULT true;

-- The content is the manifest after the change; null after a removal.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('SubscriptionPackage', 'PaymentMethod')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';
