-- An operator is a person of PlayOn who calls services by `playonctl`. The certificates name them.
CREATE TABLE operator (
    name       text        NOT NULL,
    roles      text[]      NOT NULL,
    CONSTRAINT operator_pkey PRIMARY KEY (name),
    CONSTRAINT operator_name CHECK (name ~ '^[a-z][a-z0-9.-]{0,39}$'),
    CONSTRAINT operator_roles CHECK (
        cardinality(roles) > 0
        AND roles <@ ARRAY['content', 'support', 'finance', 'fair-play', 'platform']
    )
);
COMMENT ON TABLE operator IS 'Rows stay until the operator has no role. At most 200.';

-- A content change is a change of an operator's roles, or a proposal that waits for a second
-- operator.
-- crates/mesh reads and writes this table (src/content.rs).
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    -- Holds the roles after the change; null after a removal.
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('Operator')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted', 'Proposed'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of who gave operators their roles. Some hundred a year.';
CREATE INDEX content_change_of_key ON content_change (key, changed_at);

-- A revoked certificate is an operator's certificate that no service accepts any more.
CREATE TABLE revoked_certificate (
    -- The serial number is written in hexadecimal digits, without leading zeros.
    serial     text        NOT NULL,
    operator   text        NOT NULL,
    reason     text        NOT NULL,
    revoked_at timestamptz NOT NULL,
    CONSTRAINT revoked_certificate_pkey PRIMARY KEY (serial),
    CONSTRAINT revoked_certificate_serial CHECK (serial ~ '^[1-9a-f][0-9a-f]{0,39}$'),
    CONSTRAINT revoked_certificate_reason CHECK (char_length(reason) BETWEEN 1 AND 500)
);
COMMENT ON TABLE revoked_certificate IS 'Rows stay for good: the audit of revocations. Some a year.';

-- An act is a call of an operator to any service, admitted or refused. The acts are a chain: each
-- hash is of the hash before it and of the act (docs/decisions/0073-operators-as-people.md).
CREATE TABLE operator_act (
    -- Counts from 1 without a gap.
    number     bigint      NOT NULL,
    at         timestamptz NOT NULL,
    operator   text        NOT NULL,
    serial     text        NOT NULL,
    rpc        text        NOT NULL,
    -- The outcome is ADMITTED, or the REASON of the refusal.
    outcome    text        NOT NULL,
    trace_id   text        NOT NULL,
    hash       bytea       NOT NULL,
    CONSTRAINT operator_act_pkey PRIMARY KEY (number),
    CONSTRAINT operator_act_hash CHECK (octet_length(hash) = 32)
);
COMMENT ON TABLE operator_act IS 'Rows stay for good: the audit of operators, and a trigger refuses what removes them. Some hundred thousand a year.';

-- `playonctl operators revoke` shows whose certificate it was.
CREATE INDEX operator_act_of_serial ON operator_act (serial, number);

-- Refuses changes to the audit of operators.
CREATE FUNCTION operator_act_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'operator_act is append-only'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER operator_act_append_only BEFORE UPDATE OR DELETE ON operator_act
    FOR EACH ROW EXECUTE FUNCTION operator_act_is_append_only();
CREATE TRIGGER operator_act_stays BEFORE TRUNCATE ON operator_act
    FOR EACH STATEMENT EXECUTE FUNCTION operator_act_is_append_only();
