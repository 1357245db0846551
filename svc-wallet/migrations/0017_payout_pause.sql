-- The pause of payouts. It is on after operators or svc-wallet began it, while the database is on
-- another timeline than operators know of, and while a break of the kind LOST is open.
CREATE TABLE payout_pause (
    -- There is one row.
    is_only             boolean     NOT NULL DEFAULT true,
    -- The timeline of the database that operators know of. PostgreSQL begins another one when a
    -- standby is promoted, and when a base backup is restored.
    timeline            integer     NOT NULL,
    -- The pause that was begun and not resumed; null without one.
    begun_at            timestamptz,
    begun_by            text,
    reason              text,
    -- The operator who requested to resume, and the timeline on which that was; null before.
    resume_requested_by text,
    resume_requested_on integer,
    -- The time of the last resumption.
    resumed_at          timestamptz,
    CONSTRAINT payout_pause_pkey PRIMARY KEY (is_only),
    CONSTRAINT payout_pause_only CHECK (is_only),
    CONSTRAINT payout_pause_begun CHECK (num_nulls(begun_at, begun_by, reason) IN (0, 3)),
    CONSTRAINT payout_pause_request
        CHECK (num_nulls(resume_requested_by, resume_requested_on) IN (0, 2))
);
COMMENT ON TABLE payout_pause IS 'Rows stay for good: there is one.';
INSERT INTO payout_pause (timeline)
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;

-- LOST is a break by a provider's result about a payment that the database does not have.
ALTER TABLE recon_break
    DROP CONSTRAINT recon_break_kind,
    ADD CONSTRAINT recon_break_kind
        CHECK (kind IN ('MISSING_OURS', 'MISSING_THEIRS', 'AMOUNT_DIFFERS', 'LOST')) NOT VALID;

-- The subject of the three new actions is all zeros.
ALTER TABLE money_audit
    DROP CONSTRAINT money_audit_action,
    ADD CONSTRAINT money_audit_action CHECK (action IN ('REQUESTED', 'DONE', 'REFUSED', 'RESOLVED',
        'PAUSED', 'RESUME_REQUESTED', 'RESUMED')) NOT VALID;
