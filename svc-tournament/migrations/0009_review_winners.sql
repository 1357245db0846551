-- Whether each award of money of the tournament waits until operators approve it.
ALTER TABLE tournament ADD COLUMN review_winners boolean NOT NULL DEFAULT false;
