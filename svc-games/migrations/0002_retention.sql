COMMENT ON TABLE game IS 'Rows stay until an operator removes them.';
