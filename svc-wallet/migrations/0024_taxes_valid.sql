ALTER TABLE journal VALIDATE CONSTRAINT journal_kind;
ALTER TABLE wallet VALIDATE CONSTRAINT wallet_is_no_house_account;
ALTER TABLE posting VALIDATE CONSTRAINT posting_account;
