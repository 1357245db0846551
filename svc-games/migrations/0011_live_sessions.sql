-- A live run commits its inputs piece by piece, and the seeds of its pieces follow from a key.
ALTER TABLE play_session
    -- The key is null until a live run begins, and in any other run.
    ADD COLUMN piece_key bytea,
    -- These are the inputs of the committed pieces, in their order.
    ADD COLUMN pieces bytea[] NOT NULL DEFAULT '{}';
