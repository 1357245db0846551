-- Parameters are listed as they were stored and never searched. PostgreSQL made a text of jsonb for
-- each reader, which was a quarter of what a page cost it.
ALTER TABLE notification DROP CONSTRAINT notification_params;
ALTER TABLE notification ALTER COLUMN params TYPE json USING params::json;
ALTER TABLE notification
    ADD CONSTRAINT notification_params CHECK (json_typeof(params) = 'object');
