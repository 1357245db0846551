-- A balance query asks M-Pesa for the balance of one of our short codes. The job compare_balance
-- sends one for each of them in a round, and M-Pesa answers later.
CREATE TABLE mpesa_balance (
    round_id    uuid        NOT NULL,
    short_code  text        NOT NULL,
    -- SHA-256 of the secret in the path of the answer.
    secret_hash bytea       NOT NULL,
    asked_at    timestamptz NOT NULL,
    -- The balance, without the charges that M-Pesa has not settled; null until the answer.
    cents       bigint,
    CONSTRAINT mpesa_balance_pkey PRIMARY KEY (round_id, short_code),
    CONSTRAINT mpesa_balance_secret UNIQUE (secret_hash)
);
COMMENT ON TABLE mpesa_balance IS 'Rows stay for a day; the next round removes them.';

-- A balance comparison is M-Pesa's balance beside the ledger's, once each query of a round has its
-- answer.
CREATE TABLE balance_comparison (
    round_id     uuid        NOT NULL,
    -- The day in Nairobi that the job compares.
    day          date        NOT NULL,
    compared_at  timestamptz NOT NULL,
    -- The short codes, sorted and separated by commas. Only comparisons of the same short codes
    -- are compared with each other.
    short_codes  text        NOT NULL,
    theirs_cents bigint      NOT NULL,
    -- The sum of the ledger's movements at M-Pesa since the first comparison.
    ours_cents   bigint      NOT NULL,
    -- The part of ours_cents up to the posting seq, which was the last one that is proven.
    proven_cents bigint      NOT NULL,
    seq          bigint      NOT NULL,
    -- Whether later ones are compared with this one, until there is another base: it is the first
    -- comparison of its short codes, or an operator has explained its difference.
    is_base      boolean     NOT NULL,
    -- Whether the two moved apart since the base.
    is_apart     boolean     NOT NULL,
    CONSTRAINT balance_comparison_pkey PRIMARY KEY (round_id)
);
COMMENT ON TABLE balance_comparison IS 'Rows stay for good: the record that the books agree with M-Pesa. One a night, and three a night while a break is open.';

-- A break of the kind BALANCE is a day on which M-Pesa's balance and the ledger moved apart.
ALTER TABLE recon_break
    DROP CONSTRAINT recon_break_kind,
    ADD CONSTRAINT recon_break_kind CHECK (kind IN
        ('MISSING_OURS', 'MISSING_THEIRS', 'AMOUNT_DIFFERS', 'LOST', 'BALANCE')) NOT VALID;
