-- When a row was given up; see mesh::outbox.
ALTER TABLE outbox ADD COLUMN parked_at timestamptz;

DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
