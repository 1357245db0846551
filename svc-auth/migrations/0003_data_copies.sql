-- A player's copy of what all services store about the player. One player has one at a time.
CREATE TABLE data_copy (
    player_id    uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    -- These services have not replied yet.
    missing      text[] NOT NULL,
    completed_at timestamptz,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT data_copy_pkey PRIMARY KEY (player_id),
    CONSTRAINT data_copy_player FOREIGN KEY (player_id) REFERENCES player (id) ON DELETE CASCADE,
    CONSTRAINT data_copy_complete CHECK ((cardinality(missing) = 0) = (completed_at IS NOT NULL))
);
CREATE INDEX data_copy_expires_at ON data_copy (expires_at);
COMMENT ON TABLE data_copy IS 'Rows stay until a day after the copy is complete, or after the request if it never is; the sweep job or the erasure job removes them.';

CREATE TABLE data_copy_record (
    player_id uuid NOT NULL,
    -- This service stores the record.
    service   text NOT NULL,
    -- The place is that of the record in the service's reply.
    place     integer NOT NULL,
    section   text NOT NULL,
    -- The record is a JSON object. It is stored as text, because only its player reads it.
    record    text NOT NULL,
    CONSTRAINT data_copy_record_pkey PRIMARY KEY (player_id, service, place),
    CONSTRAINT data_copy_record_copy FOREIGN KEY (player_id) REFERENCES data_copy (player_id)
        ON DELETE CASCADE
);
COMMENT ON TABLE data_copy_record IS 'Rows stay as long as their copy.';
