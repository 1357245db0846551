-- A manifest with much cash is a proposal until a second operator applies it too.
ALTER TABLE content_change
    DROP CONSTRAINT content_change_change,
    ADD CONSTRAINT content_change_change
        CHECK (change IN ('Created', 'Updated', 'Deleted', 'Proposed'));
