-- The house accounts of taxes are two more ids without rows.
ALTER TABLE posting
    DROP CONSTRAINT posting_account,
    ADD CONSTRAINT posting_account CHECK ((balance_after_cents IS NULL) =
        (account_id BETWEEN '00000000-0000-7000-8000-000000000001'
                        AND '00000000-0000-7000-8000-00000000000a')) NOT VALID;

-- Returns the id of a house account.
CREATE OR REPLACE FUNCTION house_account(name text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE name
        -- The money that M-Pesa holds for PlayOn.
        WHEN 'MPESA_UTILITY' THEN uuid '00000000-0000-7000-8000-000000000001'
        -- Money that an operator must decide on.
        WHEN 'SUSPENSE' THEN uuid '00000000-0000-7000-8000-000000000002'
        -- The money that PlayOn gives away: what operators paid in for it, less what it has paid.
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
        -- Excise duty on money that came into wallets, owed to the state.
        WHEN 'EXCISE_DUTY' THEN uuid '00000000-0000-7000-8000-000000000009'
        -- Tax withheld from prizes, owed to the state.
        WHEN 'WITHHOLDING_TAX' THEN uuid '00000000-0000-7000-8000-00000000000a'
    END
$$;

-- Posts a journal of two lines: the amount leaves one account and reaches the other. A wallet
-- that is credited is opened if the player has none. Returns POSTED; REPEATED for a (kind, ref)
-- that was posted before, with whatever content; or INSUFFICIENT_FUNDS.
CREATE OR REPLACE FUNCTION ledger_post(
    p_journal uuid, p_kind text, p_ref uuid, p_at timestamptz, p_from uuid, p_to uuid,
    p_amount bigint,
    -- The counterparty in the lines of wallets, where it is not the other account.
    p_counterparty uuid,
    -- The detail in the lines of wallets.
    p_detail text,
    p_reverses uuid
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    house_first CONSTANT uuid := '00000000-0000-7000-8000-000000000001';
    house_last CONSTANT uuid := '00000000-0000-7000-8000-00000000000a';
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
