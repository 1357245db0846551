-- The last change of a key is found by this index.
CREATE INDEX content_change_of_key ON content_change (key, changed_at);

-- Where much cash depends on a game, new rules or a new key are a proposal until a second operator
-- applies the same manifest.
ALTER TABLE content_change
    DROP CONSTRAINT content_change_change,
    ADD CONSTRAINT content_change_change
        CHECK (change IN ('Created', 'Updated', 'Deleted', 'Proposed'));

-- Settlements no longer wait for runs without a decision.
DROP INDEX held_run_undecided_in_tournament;

-- The release of a run is a proposal until a second operator decides the same. The columns stay,
-- for the audit.
ALTER TABLE held_run
    ADD COLUMN release_proposed_by text,
    ADD COLUMN release_proposed_at timestamptz,
    ADD CONSTRAINT held_run_release_proposed
        CHECK (num_nulls(release_proposed_by, release_proposed_at) IN (0, 2)) NOT VALID;
