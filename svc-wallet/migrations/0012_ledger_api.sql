-- The ledger behind functions: the service's role executes them and reads, and writes
-- nothing itself. An operation is one round trip, and a refusal is a value.
--
-- The owner path: rows of an append-only table are rewritten by a migration alone. It runs as
-- the owner, disables the row trigger, and enables it again in the same transaction. This one
-- copies kind, reference and time of the journal to the postings, and removes the names of
-- players, for which there is now the counterparty's id.

-- ── Accounts ─────────────────────────────────────────────────────────────────────────────

-- Account and wallet are one table. The house accounts are ids without rows: nothing that
-- everybody's foreign key would lock.
DO $$ BEGIN
    IF EXISTS (SELECT FROM wallet WHERE account_id <> player_id) THEN
        RAISE EXCEPTION 'a wallet has another account than its player''s id';
    END IF;
END $$;

ALTER TABLE posting
    DROP CONSTRAINT posting_account_id_fkey,
    DROP CONSTRAINT posting_journal_id_fkey;
ALTER TABLE wallet DROP CONSTRAINT wallet_account_id_fkey, DROP COLUMN account_id,
    DROP CONSTRAINT wallet_player,
    ADD CONSTRAINT wallet_pkey PRIMARY KEY (player_id),
    ADD CONSTRAINT wallet_is_no_house_account CHECK (player_id NOT BETWEEN
        '00000000-0000-7000-8000-000000000001' AND '00000000-0000-7000-8000-000000000008'),
    -- A page keeps room for new versions of its rows, so that no index entry changes.
    SET (fillfactor = 70);
DROP TABLE account;

-- The id of a house account.
CREATE FUNCTION house_account(name text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE name
        -- What M-Pesa holds for PlayOn.
        WHEN 'MPESA_UTILITY' THEN uuid '00000000-0000-7000-8000-000000000001'
        -- What an operator must decide on.
        WHEN 'SUSPENSE' THEN uuid '00000000-0000-7000-8000-000000000002'
        -- What PlayOn gives away.
        WHEN 'PROMOTIONS' THEN uuid '00000000-0000-7000-8000-000000000003'
        -- What the card provider owes PlayOn.
        WHEN 'CARD_RECEIVABLE' THEN uuid '00000000-0000-7000-8000-000000000004'
        -- What the carrier owes PlayOn for airtime.
        WHEN 'CARRIER_RECEIVABLE' THEN uuid '00000000-0000-7000-8000-000000000005'
        -- Fees that players pay for withdrawals.
        WHEN 'WITHDRAWAL_FEE' THEN uuid '00000000-0000-7000-8000-000000000006'
        -- What players pay for packages.
        WHEN 'SUBSCRIPTION_REVENUE' THEN uuid '00000000-0000-7000-8000-000000000007'
        -- What providers charge PlayOn.
        WHEN 'PROVIDER_FEE' THEN uuid '00000000-0000-7000-8000-000000000008'
    END
$$;

-- ── Journals and postings ────────────────────────────────────────────────────────────────

DROP TRIGGER journal_balances ON journal;
DROP FUNCTION journal_balances();
DROP TRIGGER posting_joins_its_journal ON posting;
DROP FUNCTION posting_joins_its_journal();

ALTER TABLE journal
    DROP CONSTRAINT journal_kind,
    ADD CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT')),
    ADD CONSTRAINT journal_reverses CHECK (reverses_id <> id);

ALTER TABLE posting
    -- Of the journal: the history needs no join.
    ADD COLUMN kind text,
    ADD COLUMN ref uuid,
    ADD COLUMN created_at timestamptz,
    -- Where the money came from or went to, as the player sees it: a player, or a house
    -- account. The payer of a boost by M-Pesa, and not M-Pesa.
    ADD COLUMN counterparty_id uuid;

ALTER TABLE posting DISABLE TRIGGER posting_append_only;
UPDATE posting SET
    kind = journal.kind, ref = journal.ref, created_at = journal.created_at,
    counterparty_id = CASE
        WHEN posting.amount_cents > 0 AND payment.payer_id <> payment.beneficiary_id
            AND posting.account_id = payment.beneficiary_id THEN payment.payer_id
        ELSE (SELECT other.account_id FROM posting other
              WHERE other.journal_id = posting.journal_id
                  AND other.account_id <> posting.account_id)
    END,
    detail = CASE WHEN journal.kind = 'AWARD' THEN posting.detail END
    FROM journal LEFT JOIN payment ON payment.id = journal.ref
    WHERE journal.id = posting.journal_id;
ALTER TABLE posting ENABLE TRIGGER posting_append_only;

ALTER TABLE posting
    ALTER COLUMN kind SET NOT NULL,
    ALTER COLUMN ref SET NOT NULL,
    ALTER COLUMN created_at SET NOT NULL,
    ALTER COLUMN counterparty_id SET NOT NULL,
    -- A house account keeps no balance; every other account is a wallet.
    ADD CONSTRAINT posting_account CHECK ((balance_after_cents IS NULL) =
        (account_id BETWEEN '00000000-0000-7000-8000-000000000001'
                        AND '00000000-0000-7000-8000-000000000008')),
    ADD CONSTRAINT posting_detail CHECK (detail IS NULL OR balance_after_cents IS NOT NULL);

COMMENT ON COLUMN posting.detail IS 'What no id can say: the contest that an award is for, an operator''s words. No names of players.';

-- All lines of a journal are inserted by one statement, and they balance. It holds under
-- savepoints too, because it compares rows and no transaction ids.
CREATE FUNCTION postings_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT line.journal_id, line.lines, line.total, journal.id IS NULL AS is_unknown,
           (SELECT count(*) FROM posting WHERE posting.journal_id = line.journal_id) AS there
        INTO wrong
        FROM (SELECT journal_id, kind, ref, count(*) AS lines, sum(amount_cents) AS total
              FROM fresh GROUP BY journal_id, kind, ref) line
        LEFT JOIN journal ON journal.id = line.journal_id
            AND journal.kind = line.kind AND journal.ref = line.ref
        WHERE journal.id IS NULL OR line.total <> 0 OR line.lines < 2
            OR line.lines <> (SELECT count(*) FROM posting
                              WHERE posting.journal_id = line.journal_id)
        LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF wrong.is_unknown THEN
        RAISE EXCEPTION 'no journal % of this kind and reference', wrong.journal_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_journal';
    ELSIF wrong.lines <> wrong.there THEN
        RAISE EXCEPTION 'journal % is closed', wrong.journal_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_closed';
    END IF;
    RAISE EXCEPTION 'journal % has % postings that sum to %',
        wrong.journal_id, wrong.lines, wrong.total
        USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_balances';
END $$;

CREATE TRIGGER postings_balance AFTER INSERT ON posting
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION postings_balance();

-- A journal is inserted by the statement that inserts its postings.
CREATE FUNCTION journal_has_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    empty uuid;
BEGIN
    SELECT id INTO empty FROM fresh
        WHERE NOT EXISTS (SELECT FROM posting WHERE journal_id = fresh.id) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'journal % has no postings', empty
            USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_balances';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER journal_has_postings AFTER INSERT ON journal
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION journal_has_postings();

-- ── Payments ─────────────────────────────────────────────────────────────────────────────

-- Digests in place of texts: a third of the bytes in row and index.
ALTER TABLE payment DROP CONSTRAINT payment_request, DROP CONSTRAINT payment_method_fkey;
ALTER TABLE payment
    ADD CONSTRAINT payment_method
        CHECK (method IN ('WALLET', 'MPESA', 'CARD', 'SAFARICOM_CREDIT', 'PAYPAL')),
    -- The first half of the request id's SHA-256.
    ALTER COLUMN request_id TYPE uuid
        USING substring(encode(sha256(convert_to(request_id, 'UTF8')), 'hex') FOR 32)::uuid,
    ALTER COLUMN fingerprint TYPE bytea USING decode(fingerprint, 'hex'),
    ALTER COLUMN detail DROP NOT NULL,
    SET (fillfactor = 85);
ALTER TABLE payment RENAME COLUMN request_id TO request_digest;
ALTER TABLE payment ADD CONSTRAINT payment_request UNIQUE (payer_id, request_digest);
-- The name of who boosts, while the notification is to be written that has it.
UPDATE payment SET detail = NULL WHERE state IN ('SUCCEEDED', 'CONFLICTED') OR kind <> 'BOOST';
COMMENT ON COLUMN payment.detail IS 'Of a boost that is open: the payer''s name, for the notification. Removed once it succeeded.';

-- ── Holds ────────────────────────────────────────────────────────────────────────────────

-- Balance set aside for a payout. It ends once, by evidence or by an operator, never by time.
CREATE TABLE hold (
    payment_id   uuid        NOT NULL,
    player_id    uuid        NOT NULL,
    amount_cents bigint      NOT NULL,
    fee_cents    bigint      NOT NULL,
    state        text        NOT NULL DEFAULT 'HELD',
    created_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    CONSTRAINT hold_pkey PRIMARY KEY (payment_id),
    CONSTRAINT hold_amount CHECK (amount_cents > 0 AND fee_cents >= 0),
    CONSTRAINT hold_state CHECK (state IN ('HELD', 'SETTLED', 'RELEASED')),
    CONSTRAINT hold_ended CHECK ((state = 'HELD') = (ended_at IS NULL))
);
-- For the proof, which compares them with the wallets.
CREATE INDEX hold_open ON hold (player_id) WHERE state = 'HELD';
COMMENT ON TABLE hold IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- ── Functions ────────────────────────────────────────────────────────────────────────────

-- Opens the wallets that do not exist yet.
CREATE FUNCTION ledger_open_wallets(p_players uuid[], p_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO wallet (player_id, created_at)
    SELECT DISTINCT player, p_at FROM unnest(p_players) player ORDER BY player
    ON CONFLICT (player_id) DO NOTHING
$$;

-- Posts a journal of two lines: the amount leaves one account and reaches the other. A wallet
-- that is credited is opened if the player has none. Returns POSTED, REPEATED for a (kind,
-- ref) that was posted before (with whatever content), or INSUFFICIENT_FUNDS.
CREATE FUNCTION ledger_post(
    p_journal uuid, p_kind text, p_ref uuid, p_at timestamptz, p_from uuid, p_to uuid,
    p_amount bigint,
    -- The counterparty in the lines of wallets, where it is not the other account.
    p_counterparty uuid,
    -- For the lines of wallets.
    p_detail text,
    p_reverses uuid
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    house_first CONSTANT uuid := '00000000-0000-7000-8000-000000000001';
    house_last CONSTANT uuid := '00000000-0000-7000-8000-000000000008';
    found_wallet record;
    available bigint := 0;
    is_open boolean := p_to BETWEEN house_first AND house_last;
BEGIN
    IF p_amount <= 0 OR p_from = p_to THEN
        RAISE EXCEPTION 'a journal of % from % to %', p_amount, p_from, p_to
            USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_moves';
    END IF;
    FOR found_wallet IN
        SELECT player_id, posted_cents - held_cents AS available_cents FROM wallet
        WHERE player_id IN (p_from, p_to) ORDER BY player_id FOR NO KEY UPDATE
    LOOP
        IF found_wallet.player_id = p_from THEN
            available := found_wallet.available_cents;
        ELSE
            is_open := true;
        END IF;
    END LOOP;
    IF EXISTS (SELECT FROM journal WHERE kind = p_kind AND ref = p_ref) THEN
        RETURN 'REPEATED';
    END IF;
    IF available < p_amount AND p_from NOT BETWEEN house_first AND house_last THEN
        RETURN 'INSUFFICIENT_FUNDS';
    END IF;
    IF NOT is_open THEN
        INSERT INTO wallet (player_id, created_at) VALUES (p_to, p_at)
            ON CONFLICT (player_id) DO NOTHING;
    END IF;
    WITH entry AS (
        INSERT INTO journal (id, kind, ref, reverses_id, created_at)
        VALUES (p_journal, p_kind, p_ref, p_reverses, p_at)
        ON CONFLICT ON CONSTRAINT journal_once DO NOTHING
        RETURNING id
    ), line AS (
        SELECT place, account, other, amount,
               account BETWEEN house_first AND house_last AS is_house
        FROM entry, (VALUES (1, p_from, p_to, -p_amount), (2, p_to, p_from, p_amount))
            line (place, account, other, amount)
    ), moved AS (
        UPDATE wallet SET posted_cents = posted_cents + line.amount, version = version + 1
        FROM line WHERE wallet.player_id = line.account
        RETURNING wallet.player_id, wallet.posted_cents
    )
    INSERT INTO posting (journal_id, account_id, amount_cents, balance_after_cents,
                         detail, kind, ref, created_at, counterparty_id)
    SELECT p_journal, account, amount, moved.posted_cents,
           CASE WHEN NOT is_house THEN p_detail END, p_kind, p_ref, p_at,
           CASE WHEN is_house THEN other ELSE coalesce(p_counterparty, other) END
    FROM line LEFT JOIN moved ON moved.player_id = line.account ORDER BY place;
    RETURN CASE WHEN FOUND THEN 'POSTED' ELSE 'REPEATED' END;
END $$;

-- Holds amount and fee of a wallet for a payment. Returns HELD, REPEATED for a payment that
-- has a hold already, or INSUFFICIENT_FUNDS.
CREATE FUNCTION ledger_hold(
    p_payment uuid, p_player uuid, p_amount bigint, p_fee bigint, p_at timestamptz
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    available bigint;
BEGIN
    SELECT posted_cents - held_cents INTO available FROM wallet
        WHERE player_id = p_player FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM hold WHERE payment_id = p_payment) THEN
        RETURN 'REPEATED';
    END IF;
    IF coalesce(available, 0) < p_amount + p_fee THEN
        RETURN 'INSUFFICIENT_FUNDS';
    END IF;
    INSERT INTO hold (payment_id, player_id, amount_cents, fee_cents, created_at)
        VALUES (p_payment, p_player, p_amount, p_fee, p_at);
    UPDATE wallet SET held_cents = held_cents + p_amount + p_fee, version = version + 1
        WHERE player_id = p_player;
    RETURN 'HELD';
END $$;

-- Ends a hold and frees its money. Returns RELEASED, or how the hold had ended before:
-- REPEATED when it was released, SETTLED; UNKNOWN when there is none.
CREATE FUNCTION ledger_release(p_payment uuid, p_at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    ended hold;
BEGIN
    UPDATE hold SET state = 'RELEASED', ended_at = p_at
        WHERE payment_id = p_payment AND state = 'HELD' RETURNING * INTO ended;
    IF NOT FOUND THEN
        SELECT * INTO ended FROM hold WHERE payment_id = p_payment;
        RETURN CASE WHEN NOT FOUND THEN 'UNKNOWN'
                    WHEN ended.state = 'RELEASED' THEN 'REPEATED' ELSE ended.state END;
    END IF;
    UPDATE wallet SET version = version + 1,
        held_cents = held_cents - ended.amount_cents - ended.fee_cents
        WHERE player_id = ended.player_id;
    RETURN 'RELEASED';
END $$;

-- Ends a hold by its journal (WITHDRAWAL, with the payment as its reference): the amount goes
-- to MPESA_UTILITY, and the fee to WITHDRAWAL_FEE. Returns SETTLED, or how the hold had ended
-- before: REPEATED when it was settled, RELEASED; UNKNOWN when there is none.
CREATE FUNCTION ledger_settle_hold(p_payment uuid, p_journal uuid, p_at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    ended hold;
    balance bigint;
BEGIN
    UPDATE hold SET state = 'SETTLED', ended_at = p_at
        WHERE payment_id = p_payment AND state = 'HELD' RETURNING * INTO ended;
    IF NOT FOUND THEN
        SELECT * INTO ended FROM hold WHERE payment_id = p_payment;
        RETURN CASE WHEN NOT FOUND THEN 'UNKNOWN'
                    WHEN ended.state = 'SETTLED' THEN 'REPEATED' ELSE ended.state END;
    END IF;
    UPDATE wallet SET version = version + 1,
        posted_cents = posted_cents - ended.amount_cents - ended.fee_cents,
        held_cents = held_cents - ended.amount_cents - ended.fee_cents
        WHERE player_id = ended.player_id RETURNING posted_cents INTO balance;
    WITH entry AS (
        INSERT INTO journal (id, kind, ref, created_at)
        VALUES (p_journal, 'WITHDRAWAL', p_payment, p_at)
    )
    INSERT INTO posting (journal_id, account_id, amount_cents, balance_after_cents,
                         kind, ref, created_at, counterparty_id)
    SELECT p_journal, account, amount, after, 'WITHDRAWAL', p_payment, p_at, other
    FROM (VALUES
        (1, ended.player_id, house_account('MPESA_UTILITY'),
            -ended.amount_cents - ended.fee_cents, balance),
        (2, house_account('MPESA_UTILITY'), ended.player_id, ended.amount_cents, NULL),
        (3, house_account('WITHDRAWAL_FEE'), ended.player_id, ended.fee_cents, NULL)
    ) line (place, account, other, amount, after)
    WHERE amount <> 0 ORDER BY place;
    RETURN 'SETTLED';
END $$;

-- Boosts from wallet to wallet, each with its payment, which is the idempotency row, and the
-- outbox row that notifies the friend. The arrays have one entry an operation. Within a call a
-- payer pays once and is nobody's payee; a payee may be paid several times.
--
-- Returns an outcome for each operation, in order:
-- DONE; REPEATED when the payer has used the request id (the payment tells for what); NO_WALLET
-- when the payee has none; INSUFFICIENT_FUNDS. Only DONE has written anything.
CREATE FUNCTION ledger_transfer(
    p_payments uuid[], p_journals uuid[], p_payers uuid[], p_payees uuid[], p_amounts bigint[],
    p_requests uuid[], p_fingerprints bytea[], p_traces text[],
    p_outbox_ids uuid[], p_outbox_payloads jsonb[], p_at timestamptz
) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    wallets uuid[];
    available bigint[];
    outcomes text[];
    done integer;
    inserted integer;
BEGIN
    IF p_payers && p_payees OR (SELECT count(DISTINCT payer) FROM unnest(p_payers) payer)
            <> cardinality(p_payers) THEN
        RAISE EXCEPTION 'a payer pays twice, or is paid too'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'transfer_disjoint';
    END IF;
    -- The wallets first, in order. Two calls with one request id wait here for each other,
    -- because they have one payer.
    SELECT array_agg(player_id), array_agg(available_cents) INTO wallets, available
        FROM (SELECT player_id, posted_cents - held_cents AS available_cents FROM wallet
              WHERE player_id = ANY (p_payers || p_payees)
              ORDER BY player_id FOR NO KEY UPDATE) locked;
    SELECT array_agg(CASE
                WHEN first.id IS NOT NULL THEN 'REPEATED'
                WHEN array_position(wallets, op.payee) IS NULL THEN 'NO_WALLET'
                WHEN coalesce(available[array_position(wallets, op.payer)], 0) < op.amount
                    THEN 'INSUFFICIENT_FUNDS'
                ELSE 'DONE' END ORDER BY op.place),
           count(*) FILTER (WHERE first.id IS NULL
                AND array_position(wallets, op.payee) IS NOT NULL
                AND coalesce(available[array_position(wallets, op.payer)], 0) >= op.amount)
        INTO outcomes, done
        FROM unnest(p_payers, p_payees, p_amounts, p_requests)
            WITH ORDINALITY op (payer, payee, amount, request, place)
        LEFT JOIN payment first
            ON first.payer_id = op.payer AND first.request_digest = op.request;
    IF done = 0 THEN
        RETURN outcomes;
    END IF;
    WITH op AS MATERIALIZED (
        SELECT * FROM unnest(p_payments, p_journals, p_payers, p_payees, p_amounts, p_requests,
                             p_fingerprints, p_traces, p_outbox_ids, p_outbox_payloads, outcomes)
            WITH ORDINALITY op (payment, journal, payer, payee, amount, request, fingerprint,
                                trace, outbox_id, outbox_payload, outcome, place)
        WHERE outcome = 'DONE'
    ), paid AS (
        -- Violates payment_request if a payment that moves no money yet took the request id
        -- meanwhile: then the caller tries again, and it is a repeat.
        INSERT INTO payment (id, kind, method, payer_id, beneficiary_id, amount_cents, state,
                             request_digest, fingerprint, traceparent, created_at, updated_at)
        SELECT payment, 'BOOST', 'WALLET', payer, payee, amount, 'SUCCEEDED', request,
               fingerprint, trace, p_at, p_at FROM op
    ), notice AS (
        INSERT INTO outbox (topic, id, payload, traceparent, due_at, created_at)
        SELECT 'chat.notify', outbox_id, outbox_payload, trace, now(), now() FROM op
    ), entry AS (
        INSERT INTO journal (id, kind, ref, created_at)
        SELECT journal, 'BOOST', payment, p_at FROM op
    ), moved AS (
        UPDATE wallet SET posted_cents = posted_cents + total.amount,
                          version = version + total.lines
        FROM (SELECT payer AS player, -amount AS amount, 1 AS lines FROM op
              UNION ALL
              SELECT payee, sum(amount)::bigint, count(*) FROM op GROUP BY payee) total
        WHERE wallet.player_id = total.player
        RETURNING wallet.player_id, wallet.posted_cents, total.amount
    ), line AS (
        SELECT place, 1 AS side, journal, payment, payer AS account, payee AS other,
               -amount AS amount, -amount AS running FROM op
        UNION ALL
        SELECT place, 2, journal, payment, payee, payer, amount,
               (sum(amount) OVER (PARTITION BY payee ORDER BY place))::bigint FROM op
    )
    INSERT INTO posting (journal_id, account_id, amount_cents, balance_after_cents, kind, ref,
                         created_at, counterparty_id)
    SELECT line.journal, line.account, line.amount,
           moved.posted_cents - moved.amount + line.running,
           'BOOST', line.payment, p_at, line.other
    FROM line JOIN moved ON moved.player_id = line.account
    ORDER BY line.place, line.side;
    GET DIAGNOSTICS inserted = ROW_COUNT;
    IF inserted <> 2 * done THEN
        RAISE EXCEPTION '% postings of % transfers', inserted, done;
    END IF;
    RETURN outcomes;
END $$;

-- ── Rights ───────────────────────────────────────────────────────────────────────────────

REVOKE EXECUTE ON FUNCTION
    ledger_open_wallets(uuid[], timestamptz),
    ledger_post(uuid, text, uuid, timestamptz, uuid, uuid, bigint, uuid, text, uuid),
    ledger_hold(uuid, uuid, bigint, bigint, timestamptz),
    ledger_release(uuid, timestamptz),
    ledger_settle_hold(uuid, uuid, timestamptz),
    ledger_transfer(uuid[], uuid[], uuid[], uuid[], bigint[], uuid[], bytea[], text[], uuid[],
                    jsonb[], timestamptz)
    FROM PUBLIC;

-- The service's role has another name in each installation: it is whom the owner's default
-- privileges gave rights on the tables (decision 20).
DO $$
DECLARE
    service text;
    ledger_function regprocedure;
BEGIN
    FOR service IN
        SELECT DISTINCT grantee::regrole::text
        FROM pg_class, aclexplode(relacl)
        WHERE pg_class.oid = 'payment'::regclass AND grantee <> relowner AND grantee <> 0
    LOOP
        EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE
                        ON wallet, journal, posting, hold FROM %s', service);
        FOR ledger_function IN
            SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace
                AND starts_with(proname, 'ledger_') AND prosecdef
        LOOP
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', ledger_function, service);
        END LOOP;
    END LOOP;
END $$;

COMMENT ON TABLE wallet IS 'Rows stay for good: one per player. Nothing removes them.';
