-- An operator who applies a game as it is confirms its rules and its key: tournaments with much cash
-- need those of two operators.
ALTER TABLE content_change
    DROP CONSTRAINT content_change_change,
    ADD CONSTRAINT content_change_change
        CHECK (change IN ('Created', 'Updated', 'Deleted', 'Proposed', 'Confirmed'));
