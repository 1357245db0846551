SELECT section AS "section!", record AS "record!" FROM (
(SELECT 'wallet', row_to_json(record)::text FROM (
    SELECT (posted_cents / 100.0)::numeric(20, 2)::text AS balance_kes,
           (held_cents / 100.0)::numeric(20, 2)::text AS held_kes, created_at
    FROM wallet WHERE player_id = $1
    ORDER BY created_at
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'movements', row_to_json(record)::text FROM (
    SELECT created_at, kind, (amount_cents / 100.0)::numeric(20, 2)::text AS amount_kes,
           (balance_after_cents / 100.0)::numeric(20, 2)::text AS balance_kes, detail,
           counterparty_id AS other_account
    FROM posting WHERE account_id = $1
    ORDER BY seq DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'payments', row_to_json(record)::text FROM (
    SELECT payment.id, payment.created_at, kind, package, method,
           (payment.amount_cents / 100.0)::numeric(20, 2)::text AS amount_kes,
           (fee_cents / 100.0)::numeric(20, 2)::text AS fee_kes, state, failure, detail,
           beneficiary_id AS for_account,
           nullif(coalesce(stk_push.msisdn, b2c_payout.msisdn, airtime_charge.msisdn), '') AS phone,
           coalesce(stk_push.receipt, b2c_payout.receipt, airtime_charge.receipt,
                    card_payment.receipt) AS receipt,
           coalesce(stk_push.paid_at, b2c_payout.paid_at, airtime_charge.paid_at,
                    card_payment.paid_at) AS paid_at,
           card_payment.dispute_state,
           b2c_payout.review_reason, b2c_payout.review_by,
           airtime_charge.consented_at, airtime_charge.consent_version
    FROM payment
        LEFT JOIN stk_push ON stk_push.payment_id = payment.id
        LEFT JOIN b2c_payout ON b2c_payout.payment_id = payment.id
        LEFT JOIN airtime_charge ON airtime_charge.payment_id = payment.id
        LEFT JOIN card_payment ON card_payment.payment_id = payment.id
    WHERE payer_id = $1
    ORDER BY payment.created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'refunds_to_cards', row_to_json(record)::text FROM (
    SELECT payment_id AS payment,
           (card_refund.amount_cents / 100.0)::numeric(20, 2)::text AS amount_kes,
           card_refund.state, card_refund.created_at
    FROM card_refund JOIN payment ON payment.id = payment_id WHERE payer_id = $1
    ORDER BY card_refund.created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'refunds_to_mpesa', row_to_json(record)::text FROM (
    SELECT payment_id AS payment, receipt, reversal_receipt,
           (mpesa_reversal.amount_cents / 100.0)::numeric(20, 2)::text AS amount_kes,
           mpesa_reversal.state, mpesa_reversal.created_at
    FROM mpesa_reversal JOIN payment ON payment.id = payment_id WHERE payer_id = $1
    ORDER BY mpesa_reversal.created_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'subscriptions', row_to_json(record)::text FROM (
    SELECT package, starts_at, expires_at
    FROM subscription WHERE player_id = $1
    ORDER BY starts_at DESC
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'spending_limits', row_to_json(record)::text FROM (
    SELECT kind, period, (limit_cents / 100.0)::numeric(20, 2)::text AS limit_kes, next_begins_at,
           (next_cents / 100.0)::numeric(20, 2)::text AS limit_kes_from_then, updated_at
    FROM spending_limit WHERE player_id = $1
    ORDER BY kind, period
    LIMIT 20000) AS record)
UNION ALL
(SELECT 'operations_by_support', row_to_json(record)::text FROM (
    SELECT kind, state, (amount_cents / 100.0)::numeric(20, 2)::text AS amount_kes, receipt, reason,
           requested_at, decided_at, decision_reason
    FROM money_operation WHERE player_id = $1
    ORDER BY requested_at DESC
    LIMIT 20000) AS record)
) AS records (section, record)
