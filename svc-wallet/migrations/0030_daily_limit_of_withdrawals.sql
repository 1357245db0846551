-- A player moves at most KES 500,000 a day out of the wallet, to friends and to phones together.
-- A hold counts in the wallet's sum of the day, as a boost does, and no more once it is released.

-- Sets money aside for a payment. Returns HELD; REPEATED; INSUFFICIENT_FUNDS; DAILY_LIMIT. Only
-- HELD has written anything.
CREATE OR REPLACE FUNCTION ledger_hold(
    p_payment uuid, p_player uuid, p_amount bigint, p_fee bigint, p_at timestamptz
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    -- The limit of domain/limits.rs.
    daily_limit CONSTANT bigint := 50000000;
    today CONSTANT date := (p_at AT TIME ZONE 'Africa/Nairobi')::date;
    available bigint;
    -- What left today.
    sent bigint;
BEGIN
    -- A replica's clock may be behind that of the last transfer.
    SELECT posted_cents - held_cents, CASE WHEN sent_on >= today THEN sent_cents ELSE 0 END
        INTO available, sent
        FROM wallet WHERE player_id = p_player FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM hold WHERE payment_id = p_payment) THEN
        RETURN 'REPEATED';
    END IF;
    IF coalesce(available, 0) < p_amount + p_fee THEN
        RETURN 'INSUFFICIENT_FUNDS';
    END IF;
    IF sent + p_amount > daily_limit THEN
        RETURN 'DAILY_LIMIT';
    END IF;
    INSERT INTO hold (payment_id, player_id, amount_cents, fee_cents, created_at)
        VALUES (p_payment, p_player, p_amount, p_fee, p_at);
    UPDATE wallet SET held_cents = held_cents + p_amount + p_fee, version = version + 1,
                      sent_cents = sent + p_amount, sent_on = greatest(sent_on, today)
        WHERE player_id = p_player;
    RETURN 'HELD';
END $$;

-- Ends a hold and frees its money. Returns RELEASED, or how the hold had ended before:
-- REPEATED when it was released, SETTLED; UNKNOWN when there is none.
CREATE OR REPLACE FUNCTION ledger_release(p_payment uuid, p_at timestamptz) RETURNS text
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
        held_cents = held_cents - ended.amount_cents - ended.fee_cents,
        -- Not below zero: one that was held before this migration is not in the sum.
        sent_cents = CASE
            WHEN sent_on = (ended.created_at AT TIME ZONE 'Africa/Nairobi')::date
                THEN greatest(sent_cents - ended.amount_cents, 0)
            ELSE sent_cents END
        WHERE player_id = ended.player_id;
    RETURN 'RELEASED';
END $$;
