-- The last change of a key, and what an operator published in a day, are found by this index.
CREATE INDEX content_change_of_key ON content_change (key, changed_at);

-- A manifest with much cash is a proposal until a second operator applies it too.
ALTER TABLE content_change
    DROP CONSTRAINT content_change_change,
    ADD CONSTRAINT content_change_change
        CHECK (change IN ('Created', 'Updated', 'Deleted', 'Proposed'));
