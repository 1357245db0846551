-- Awards of money, which svc-tournament has paid. The journal is their only record: its ref
-- is the award's id, so journal_once pays each of them once.

ALTER TABLE account DROP CONSTRAINT account_kind,
    ADD CONSTRAINT account_kind
        CHECK (kind IN ('WALLET', 'MPESA_UTILITY', 'SUSPENSE', 'PROMOTIONS'));

-- What PlayOn gives away: an expense, so its postings are debits.
INSERT INTO account (id, kind) VALUES ('00000000-0000-7000-8000-000000000003', 'PROMOTIONS');

ALTER TABLE journal DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD'));
