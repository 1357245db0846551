-- Refuses changes to the audit of what operators decided about content.
CREATE TRIGGER content_change_append_only BEFORE UPDATE OR DELETE ON content_change
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER content_change_stays BEFORE TRUNCATE ON content_change
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
