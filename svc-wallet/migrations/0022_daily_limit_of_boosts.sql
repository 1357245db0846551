-- A player sends at most KES 500,000 a day from wallet to wallet. The row of the wallet, which a
-- transfer locks and writes in any case, has the sum of the day.

ALTER TABLE wallet
    -- The day in Nairobi on which the player last sent money to a friend, and how much.
    ADD COLUMN sent_on date,
    ADD COLUMN sent_cents bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT wallet_sent CHECK (sent_cents >= 0);

-- Boosts from wallet to wallet, each with its payment, which is the idempotency row, and the
-- outbox row that notifies the friend. The arrays have one entry an operation. Within a call a
-- payer pays once and is nobody's payee; a payee may be paid several times.
--
-- Returns an outcome for each operation, in order:
-- DONE; REPEATED when the payer has used the request id (the payment tells for what); NO_WALLET
-- when the payee has none; INSUFFICIENT_FUNDS; DAILY_LIMIT. Only DONE has written anything.
CREATE OR REPLACE FUNCTION ledger_transfer(
    p_payments uuid[], p_journals uuid[], p_payers uuid[], p_payees uuid[], p_amounts bigint[],
    p_requests uuid[], p_fingerprints bytea[], p_traces text[],
    p_outbox_ids uuid[], p_outbox_payloads jsonb[], p_at timestamptz
) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    -- The limit of domain/limits.rs.
    daily_limit CONSTANT bigint := 50000000;
    today CONSTANT date := (p_at AT TIME ZONE 'Africa/Nairobi')::date;
    wallets uuid[];
    available bigint[];
    -- What each of them may still send today.
    allowance bigint[];
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
    SELECT array_agg(player_id), array_agg(available_cents), array_agg(allowance_cents)
        INTO wallets, available, allowance
        FROM (SELECT player_id, posted_cents - held_cents AS available_cents,
                     -- A replica's clock may be behind that of the last transfer.
                     daily_limit - CASE WHEN sent_on >= today THEN sent_cents ELSE 0 END
                         AS allowance_cents
              FROM wallet
              WHERE player_id = ANY (p_payers || p_payees)
              ORDER BY player_id FOR NO KEY UPDATE) locked;
    SELECT array_agg(CASE
                WHEN first.id IS NOT NULL THEN 'REPEATED'
                WHEN array_position(wallets, op.payee) IS NULL THEN 'NO_WALLET'
                WHEN coalesce(available[array_position(wallets, op.payer)], 0) < op.amount
                    THEN 'INSUFFICIENT_FUNDS'
                WHEN allowance[array_position(wallets, op.payer)] < op.amount
                    THEN 'DAILY_LIMIT'
                ELSE 'DONE' END ORDER BY op.place)
        INTO outcomes
        FROM unnest(p_payers, p_payees, p_amounts, p_requests)
            WITH ORDINALITY op (payer, payee, amount, request, place)
        LEFT JOIN payment first
            ON first.payer_id = op.payer AND first.request_digest = op.request;
    done := cardinality(array_positions(outcomes, 'DONE'));
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
                          version = version + total.lines,
                          sent_cents = CASE
                              WHEN total.amount > 0 THEN sent_cents
                              WHEN sent_on >= today THEN sent_cents - total.amount
                              ELSE -total.amount END,
                          sent_on = CASE
                              WHEN total.amount > 0 THEN sent_on
                              ELSE greatest(sent_on, today) END
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
