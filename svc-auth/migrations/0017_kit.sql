-- The outbox of crates/mesh (src/outbox/table.sql).
DROP INDEX outbox_due;
ALTER TABLE outbox DROP CONSTRAINT outbox_pkey;
ALTER TABLE outbox ADD PRIMARY KEY (topic, id);
-- Tries that ended without an outcome: their process died, or lost the database.
ALTER TABLE outbox ADD COLUMN crashes integer NOT NULL DEFAULT 0;
-- Handed over, and not settled yet; due_at is the lease's end.
ALTER TABLE outbox ADD COLUMN leased boolean NOT NULL DEFAULT false;
ALTER TABLE outbox SET (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;

-- Refresh token rotations of a session.
ALTER TABLE session RENAME COLUMN trades TO rotations;
ALTER TABLE session RENAME CONSTRAINT session_trades TO session_rotations;
ALTER INDEX session_standing RENAME TO session_open;

-- Both limit a rate; code_rate_limit counts the codes that were sent to a phone.
ALTER TABLE sign_in_guard RENAME TO sign_in_rate_limit;
ALTER TABLE sign_in_rate_limit RENAME CONSTRAINT sign_in_guard_form TO sign_in_rate_limit_form;
ALTER INDEX sign_in_guard_pkey RENAME TO sign_in_rate_limit_pkey;
ALTER INDEX sign_in_guard_expires_at RENAME TO sign_in_rate_limit_expires_at;
ALTER TABLE phone_guard RENAME TO code_rate_limit;
ALTER TABLE code_rate_limit RENAME CONSTRAINT phone_guard_form TO code_rate_limit_form;
ALTER INDEX phone_guard_pkey RENAME TO code_rate_limit_pkey;
ALTER INDEX phone_guard_expires_at RENAME TO code_rate_limit_expires_at;

-- How long each table's rows stay. The sweep job runs every minute.
COMMENT ON TABLE country IS 'Rows stay for good; migrations write them.';
COMMENT ON TABLE currency IS 'Rows stay for good; migrations write them.';
COMMENT ON TABLE player IS 'Rows stay for good, because ledgers, scores and referrals refer to their ids; the erasure job clears the personal data.';
COMMENT ON TABLE email_identity IS 'Rows stay until the player is erased or another person verifies the address; the erasure job or a sign-in with a provider removes them.';
COMMENT ON TABLE phone_identity IS 'Rows stay until the player is erased; the erasure job removes them.';
COMMENT ON TABLE social_identity IS 'Rows stay until the player is erased; the erasure job removes them.';
COMMENT ON TABLE referral IS 'Rows stay for good, and hold no personal data.';
COMMENT ON TABLE session IS 'Rows stay until the session expires, or until its access tokens have expired after it ended; the sweep job or the erasure job removes them.';
COMMENT ON TABLE refresh_token IS 'Rows stay as long as their session; the sweep job removes them before it.';
COMMENT ON TABLE email_link IS 'Rows stay until an hour after the link expires; the sweep job or the erasure job removes them.';
COMMENT ON TABLE phone_challenge IS 'Rows stay until the code expires; the sweep job removes them.';
COMMENT ON TABLE code_rate_limit IS 'Rows stay until a day after the last code; the sweep job removes them.';
COMMENT ON TABLE sign_in_rate_limit IS 'Rows stay until the last failure no longer counts; a sign-in or the sweep job removes them.';
COMMENT ON TABLE sms_spent IS 'Rows stay for a day; the sweep job removes them.';
COMMENT ON TABLE used_captcha IS 'Rows stay until the captcha expires; the sweep job removes them.';
COMMENT ON TABLE oauth_attempt IS 'Rows stay until the browser returns or the attempt expires; the return or the sweep job removes them.';
COMMENT ON TABLE oauth_exchange IS 'Rows stay until the code is exchanged or expires; the exchange or the sweep job removes them.';
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';
