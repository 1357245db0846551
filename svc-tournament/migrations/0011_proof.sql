-- How the scores of a tournament are proven: the hash of the rules module, or the key of the game's own
-- server, as they were when the tournament was last applied before it began. Both are null for a
-- tournament of an earlier release, which follows its game.
ALTER TABLE tournament
    ADD COLUMN rules_sha256 bytea,
    ADD COLUMN score_key    bytea;
