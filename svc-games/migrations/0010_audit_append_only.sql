-- Refuses changes to the audit of what operators decided about content.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER content_change_append_only BEFORE UPDATE OR DELETE ON content_change
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER content_change_stays BEFORE TRUNCATE ON content_change
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
