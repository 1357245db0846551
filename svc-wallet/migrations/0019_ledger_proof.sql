-- The proof by watermark: what was proven is not read again.

-- The postings after the watermark are found by block range: they are appended in this order.
CREATE INDEX posting_seq ON posting USING brin (seq) WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE ledger_proof (
    -- There is one row.
    id            boolean     NOT NULL DEFAULT true,
    -- All postings up to this one are proven.
    proven_seq    bigint      NOT NULL DEFAULT 0,
    proven_at     timestamptz,
    -- How far the next proof may go, once all transactions below next_xid have ended: a posting
    -- with a lower number may be committed later than one with a higher number.
    next_seq      bigint      NOT NULL DEFAULT 0,
    next_xid      xid8        NOT NULL DEFAULT '0',
    -- When the proof of everything, which runs each night, began last.
    whole_at      timestamptz,
    CONSTRAINT ledger_proof_pkey PRIMARY KEY (id),
    CONSTRAINT ledger_proof_one CHECK (id),
    CONSTRAINT ledger_proof_next CHECK (next_seq >= proven_seq)
);
INSERT INTO ledger_proof DEFAULT VALUES;
COMMENT ON TABLE ledger_proof IS 'Rows stay for good: there is one.';
