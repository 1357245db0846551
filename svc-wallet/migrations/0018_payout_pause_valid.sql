ALTER TABLE recon_break VALIDATE CONSTRAINT recon_break_kind;
ALTER TABLE money_audit VALIDATE CONSTRAINT money_audit_action;
