-- A page of a history is read from the index alone: its twenty lines are neighbours there, while
-- in the table they are on twenty pages (docs/decisions/0049-a-history-from-its-index.md).
DROP INDEX posting_history;
CREATE INDEX posting_history ON posting (account_id, seq DESC)
    INCLUDE (journal_id, kind, ref, amount_cents, balance_after_cents, counterparty_id,
             created_at, detail);

-- What vacuum has not seen yet is read from the table as well. By default it would come after a
-- fifth of all postings ever made; it reads only the pages that are new.
ALTER TABLE posting SET (autovacuum_vacuum_insert_scale_factor = 0,
                         autovacuum_vacuum_insert_threshold = 100000);
