-- The seed of a live run is that of its first piece; these are the seeds of the others.
ALTER TABLE tournament_run ADD COLUMN next_seeds bigint[] NOT NULL DEFAULT '{}';
