-- Anyone can ask for a link to set a new password, by an address that has an account. These mails
-- are counted, because they and the mails of sign-ups may not use the part of an hour's budget that
-- is kept for the codes of signed-in players.
ALTER TABLE mail_spent
    ADD COLUMN resets integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT mail_spent_resets CHECK (resets BETWEEN 0 AND sent);
