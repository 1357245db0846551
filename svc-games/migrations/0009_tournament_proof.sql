-- How the scores of a tournament are proven: as those of its game when the first run in it was
-- started. Rules or a key that operators apply later count in other tournaments.
CREATE TABLE tournament_proof (
    tournament_id uuid        NOT NULL,
    rules_sha256  bytea,
    score_key     bytea,
    fixed_at      timestamptz NOT NULL,
    CONSTRAINT tournament_proof_pkey PRIMARY KEY (tournament_id),
    CONSTRAINT tournament_proof_rules FOREIGN KEY (rules_sha256) REFERENCES rules (sha256),
    CONSTRAINT tournament_proof_one CHECK (num_nonnulls(rules_sha256, score_key) = 1)
);
COMMENT ON TABLE tournament_proof IS 'Rows stay for good: they say which rules the runs of a tournament were played by. One for each tournament, some hundred a year.';
