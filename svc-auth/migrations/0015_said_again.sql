-- By which session a password was changed, and when: a change whose reply was lost is
-- made again by that session, and comes to the same.
ALTER TABLE email_identity ADD COLUMN changed_by uuid;
ALTER TABLE email_identity ADD COLUMN changed_at timestamptz;
ALTER TABLE email_identity ADD CONSTRAINT email_identity_change_whole
    CHECK ((changed_by IS NULL) = (changed_at IS NULL));

-- Until then an account that was reset takes more failures than others do.
ALTER TABLE sign_in_guard ADD COLUMN lenient_until timestamptz;
