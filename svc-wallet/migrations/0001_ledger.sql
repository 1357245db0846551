-- The ledger: append-only double entry, in cents of KES.
--
-- A posting is signed: positive credits the account, negative debits it, and
-- the postings of a journal sum to zero. What PlayOn owes a player is the sum of
-- the postings on the player's wallet; what M-Pesa holds for us is the negative
-- of the sum on MPESA_UTILITY.

CREATE TABLE account (
    id         uuid        PRIMARY KEY,
    kind       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT account_kind CHECK (kind IN ('WALLET', 'MPESA_UTILITY', 'SUSPENSE'))
);

-- There is one of each of the house's own accounts. They take postings and keep
-- no balance, so that no row is locked by everybody at once.
CREATE UNIQUE INDEX account_of_the_house ON account (kind) WHERE kind <> 'WALLET';

INSERT INTO account (id, kind) VALUES
    ('00000000-0000-7000-8000-000000000001', 'MPESA_UTILITY'),
    ('00000000-0000-7000-8000-000000000002', 'SUSPENSE');

-- A player's balance: posted is all there is, held is promised to payouts under
-- way. The database itself refuses to spend what is not there.
CREATE TABLE wallet (
    account_id   uuid        PRIMARY KEY REFERENCES account (id),
    player_id    uuid        NOT NULL,
    posted_cents bigint      NOT NULL DEFAULT 0,
    held_cents   bigint      NOT NULL DEFAULT 0,
    version      bigint      NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT wallet_player UNIQUE (player_id),
    CONSTRAINT wallet_held CHECK (held_cents >= 0),
    CONSTRAINT wallet_covers CHECK (posted_cents >= held_cents)
);

-- One business event. (kind, ref) is its name, and it happens once; ref is the id
-- of what happened (a payment).
CREATE TABLE journal (
    id          uuid        PRIMARY KEY,
    kind        text        NOT NULL,
    ref         uuid        NOT NULL,
    reverses_id uuid        REFERENCES journal (id),
    created_at  timestamptz NOT NULL,
    CONSTRAINT journal_once UNIQUE (kind, ref),
    CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE'))
);

CREATE TABLE posting (
    -- The order in which a wallet's balance changed: given under the wallet's
    -- lock, where ids made in several processes could disagree.
    seq                 bigint GENERATED ALWAYS AS IDENTITY,
    journal_id          uuid   NOT NULL REFERENCES journal (id),
    account_id          uuid   NOT NULL REFERENCES account (id),
    amount_cents        bigint NOT NULL,
    -- Of a wallet; the house's accounts keep no balance.
    balance_after_cents bigint,
    -- One line for the player's receipt.
    detail              text,
    PRIMARY KEY (journal_id, account_id),
    CONSTRAINT posting_moves CHECK (amount_cents <> 0)
);

-- A wallet's history, newest first.
CREATE INDEX posting_history ON posting (account_id, seq DESC);

-- A journal balances, or its transaction does not commit.
CREATE FUNCTION journal_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    total numeric;
    lines integer;
BEGIN
    SELECT sum(amount_cents), count(*) INTO total, lines FROM posting WHERE journal_id = NEW.id;
    IF lines < 2 OR total <> 0 THEN
        RAISE EXCEPTION 'journal % has % postings that sum to %', NEW.id, lines, total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_balances';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER journal_balances AFTER INSERT ON journal
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION journal_balances();

-- A posting may join only a journal of its own transaction; a later one would
-- unbalance what was balanced.
CREATE FUNCTION posting_joins_its_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM journal
        WHERE id = NEW.journal_id AND xmin = pg_current_xact_id()::xid
    ) THEN
        RAISE EXCEPTION 'journal % is closed', NEW.journal_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_closed';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER posting_joins_its_journal AFTER INSERT ON posting
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION posting_joins_its_journal();

-- What was written stays: corrections are journals of their own.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE ON journal
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE ON posting
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
