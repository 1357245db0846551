-- The words that every table's comment begins with.
COMMENT ON TABLE standing_sweep IS 'Rows stay for good: there is one.';
