COMMENT ON TABLE room IS 'Rows stay until an operator removes them.';
COMMENT ON TABLE membership IS 'Rows stay as long as their room; an operator who removes a room removes them.';
