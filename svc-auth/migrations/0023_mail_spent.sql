-- Mails to all addresses together, by the hour.
CREATE TABLE mail_spent (
    hour    timestamptz PRIMARY KEY,
    sent    integer NOT NULL CONSTRAINT mail_spent_sent CHECK (sent >= 0),
    -- Those of them to addresses that a sign-up named.
    strange integer NOT NULL CONSTRAINT mail_spent_strange CHECK (strange BETWEEN 0 AND sent)
);
COMMENT ON TABLE mail_spent IS 'Rows stay for a day; the sweep job removes them.';
