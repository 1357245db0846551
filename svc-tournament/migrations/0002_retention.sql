COMMENT ON TABLE tournament IS 'Rows stay until an operator removes them.';
