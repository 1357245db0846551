-- A player who asked to be forgotten: withdrawn from every public reply at once,
-- brought back by any sign-in, erased when the date is over. The row itself stays:
-- ledgers, scores and referrals name its id.
ALTER TABLE player ADD COLUMN deletion_due_at timestamptz;
ALTER TABLE player ADD COLUMN erased_at timestamptz;
ALTER TABLE player ADD CONSTRAINT player_erased_when_due
    CHECK (erased_at IS NULL OR (deletion_due_at IS NOT NULL AND erased_at >= deletion_due_at));
-- What erasure promises, kept by the database too.
ALTER TABLE player ADD CONSTRAINT player_erased_empty CHECK (
    erased_at IS NULL
    OR num_nonnulls(name, username, email, phone, dob, gender, profile_pic, country_id,
                    currency_id) = 0);
CREATE INDEX player_deletion_due_at ON player (deletion_due_at)
    WHERE deletion_due_at IS NOT NULL AND erased_at IS NULL;
