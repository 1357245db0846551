-- Other services ask for the erased players in the order of their erasure.
CREATE INDEX player_erased_at ON player (erased_at, id) WHERE erased_at IS NOT NULL;
