-- The smallest ledger that holds transfers.
DROP SCHEMA IF EXISTS yardstick CASCADE;
CREATE SCHEMA yardstick;

CREATE TABLE yardstick.wallet (
    id    bigint PRIMARY KEY,
    cents bigint NOT NULL,
    CONSTRAINT wallet_covers CHECK (cents >= 0)
);
CREATE TABLE yardstick.journal (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL
);
CREATE TABLE yardstick.posting (
    journal_id bigint NOT NULL REFERENCES yardstick.journal (id),
    wallet_id  bigint NOT NULL REFERENCES yardstick.wallet (id),
    cents      bigint NOT NULL,
    PRIMARY KEY (journal_id, wallet_id)
);
