ALTER TABLE b2c_payout VALIDATE CONSTRAINT b2c_payout_review;

-- The awards of each hour. Awards wait once an hour has paid AWARDS_AN_HOUR: an intruder in
-- svc-tournament, or a wrong manifest, does not empty the promotions account.
CREATE TABLE award_hour (
    starts_at  timestamptz NOT NULL,
    paid_cents bigint      NOT NULL,
    CONSTRAINT award_hour_pkey PRIMARY KEY (starts_at),
    CONSTRAINT award_hour_paid CHECK (paid_cents > 0)
);
COMMENT ON TABLE award_hour IS 'Rows stay for good: one for each hour with awards.';
