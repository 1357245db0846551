ALTER TABLE recon_break VALIDATE CONSTRAINT recon_break_kind;
