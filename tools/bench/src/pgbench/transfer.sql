-- One transfer in a random direction between a random pair. Rows are always updated in
-- the same order, so that two transfers in opposite directions do not deadlock.
\set pair random(1, :pairs)
\set low 2 * :pair - 1
\set high 2 * :pair
\set cents 100 * (2 * random(0, 1) - 1)
\set back -:cents
BEGIN;
INSERT INTO yardstick.journal (created_at) VALUES (now()) RETURNING id AS journal \gset
INSERT INTO yardstick.posting (journal_id, wallet_id, cents) VALUES (:journal::bigint, :low::bigint, :back::bigint), (:journal, :high, :cents);
UPDATE yardstick.wallet SET cents = cents - :cents WHERE id = :low;
UPDATE yardstick.wallet SET cents = cents + :cents WHERE id = :high;
COMMIT;
