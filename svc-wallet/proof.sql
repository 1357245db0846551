-- Proves that the ledger is consistent: each returned row is a violation.

-- 1. The postings of each journal sum to zero, and agree with it.
SELECT 'journal does not balance' AS broken, journal_id::text AS what, sum(amount_cents)::text AS how
FROM posting GROUP BY journal_id HAVING sum(amount_cents) <> 0 OR count(*) < 2
UNION ALL
SELECT 'journal without postings', j.id::text, j.kind
FROM journal j WHERE NOT EXISTS (SELECT FROM posting p WHERE p.journal_id = j.id)
UNION ALL
SELECT 'posting differs from its journal', p.journal_id::text, p.kind
FROM posting p LEFT JOIN journal j ON j.id = p.journal_id
WHERE j.id IS NULL OR (p.kind, p.ref, p.created_at) <> (j.kind, j.ref, j.created_at)
UNION ALL
-- 2. The balance of a wallet is the sum of its postings, and every account other than the house
-- accounts is a wallet.
SELECT 'wallet differs from its postings', coalesce(w.player_id, p.account_id)::text,
       coalesce(w.posted_cents, 0) || ' <> ' || coalesce(p.total, 0)
FROM wallet w
FULL JOIN (
    SELECT account_id, sum(amount_cents) AS total FROM posting
    WHERE balance_after_cents IS NOT NULL GROUP BY account_id
) p ON p.account_id = w.player_id
WHERE coalesce(w.posted_cents, 0) <> coalesce(p.total, 0)
    OR w.player_id IS NULL
UNION ALL
-- 3. The balance after the last posting of a wallet is its balance.
SELECT 'last balance differs from the wallet', w.player_id::text,
       last.balance_after_cents || ' <> ' || w.posted_cents
FROM wallet w
CROSS JOIN LATERAL (
    SELECT balance_after_cents, amount_cents FROM posting p
    WHERE p.account_id = w.player_id ORDER BY p.seq DESC LIMIT 1
) last
WHERE last.balance_after_cents <> w.posted_cents
UNION ALL
-- 4. The held amount of a wallet is the sum of its open holds, and each settled hold has its
-- withdrawal.
SELECT 'wallet differs from its holds', coalesce(w.player_id, h.player_id)::text,
       coalesce(w.held_cents, 0) || ' <> ' || coalesce(h.total, 0)
FROM wallet w
FULL JOIN (
    SELECT player_id, sum(amount_cents + fee_cents) AS total FROM hold
    WHERE state = 'HELD' GROUP BY player_id
) h ON h.player_id = w.player_id
WHERE coalesce(w.held_cents, 0) <> coalesce(h.total, 0)
UNION ALL
SELECT 'hold and withdrawal disagree', h.payment_id::text, h.state
FROM hold h LEFT JOIN journal j ON j.kind = 'WITHDRAWAL' AND j.ref = h.payment_id
WHERE (h.state = 'SETTLED') <> (j.id IS NOT NULL)
UNION ALL
-- 5. Every payment that succeeded has one journal, of its kind, and no other payment has one.
SELECT 'payment and journal disagree', pay.id::text, pay.state || ', ' || count(j.id) || ' journals'
FROM payment pay
LEFT JOIN journal j ON j.ref = pay.id AND j.kind IN ('TOPUP', 'BOOST', 'WITHDRAWAL', 'SUBSCRIPTION')
GROUP BY pay.id
HAVING count(j.id) <> CASE WHEN pay.state = 'SUCCEEDED' THEN 1 ELSE 0 END
    OR count(j.id) FILTER (WHERE j.kind = pay.kind) <> count(j.id)
UNION ALL
SELECT 'journal moved another amount than its payment', pay.id::text,
       max(p.amount_cents) || ' <> ' || pay.amount_cents
FROM payment pay
JOIN posting p ON p.ref = pay.id AND p.kind IN ('TOPUP', 'BOOST', 'WITHDRAWAL', 'SUBSCRIPTION')
WHERE p.account_id <> house_account('WITHDRAWAL_FEE')
GROUP BY pay.id HAVING max(p.amount_cents) <> pay.amount_cents
UNION ALL
-- 6. Every journal of a payment's kind belongs to a payment, every conflicted payment is in
-- suspense, and a journal that reverses another names it.
SELECT 'journal without its payment', j.id::text, j.kind
FROM journal j
WHERE j.kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'WITHDRAWAL', 'SUBSCRIPTION')
    AND NOT EXISTS (SELECT FROM payment pay WHERE pay.id = j.ref)
    -- A withdrawal's second outflow belongs to an operation.
    AND NOT EXISTS (SELECT FROM money_operation operation
        WHERE operation.id = j.ref AND operation.journal_id = j.id
            AND operation.kind = 'OUTFLOW' AND operation.state = 'DONE' AND j.kind = 'SUSPENSE')
UNION ALL
SELECT 'set aside and not in suspense', pay.id::text, pay.state
FROM payment pay LEFT JOIN journal j ON j.ref = pay.id AND j.kind = 'SUSPENSE'
WHERE (pay.state = 'CONFLICTED') <> (j.id IS NOT NULL)
UNION ALL
SELECT 'reversal of nothing', j.id::text, j.kind
FROM journal j WHERE j.kind = 'REVERSAL' AND j.reverses_id IS NULL
UNION ALL
-- A refund to a card leaves a wallet; a failed refund is in the wallet again.
SELECT 'refund and journals disagree', r.id::text, r.state || ', ' || count(j.id) || ' journals'
FROM card_refund r LEFT JOIN journal j ON j.ref = r.id AND j.kind IN ('REFUND', 'REVERSAL')
GROUP BY r.id HAVING count(j.id) <> CASE WHEN r.state = 'FAILED' THEN 2 ELSE 1 END
UNION ALL
-- A reversal by M-Pesa leaves a wallet or suspense for M-Pesa; a failed reversal is there again.
-- The money of a second receipt is in no journal.
SELECT 'reversal and journals disagree', r.id::text,
       r.state || ', ' || r.source || ', ' || count(j.id) || ' journals'
FROM mpesa_reversal r
LEFT JOIN (
    SELECT j.id, j.ref, p.amount_cents FROM journal j
    JOIN posting p ON p.journal_id = j.id AND p.account_id = house_account('MPESA_UTILITY')
    WHERE j.kind IN ('REFUND', 'REVERSAL')
) j ON j.ref = r.id
GROUP BY r.id
HAVING count(j.id) <> CASE WHEN r.source = 'SECOND_RECEIPT' THEN 0
                           WHEN r.state = 'FAILED' THEN 2 ELSE 1 END
    OR coalesce(sum(j.amount_cents), 0)
       <> CASE WHEN r.source = 'SECOND_RECEIPT' OR r.state = 'FAILED' THEN 0 ELSE r.amount_cents END
UNION ALL
-- 7. An award goes from PROMOTIONS to one wallet, a funding from M-Pesa to PROMOTIONS, and only
-- they and operators' credits, refunds and reversals use PROMOTIONS.
SELECT 'award that is not from PROMOTIONS to one wallet', p.journal_id::text, count(*) || ' postings'
FROM posting p
WHERE p.kind = 'AWARD'
GROUP BY p.journal_id
HAVING count(*) <> 2
    OR count(*) FILTER (WHERE p.account_id = house_account('PROMOTIONS') AND p.amount_cents < 0) <> 1
    OR count(*) FILTER (WHERE p.balance_after_cents IS NOT NULL AND p.amount_cents > 0) <> 1
UNION ALL
SELECT 'funding that is not from M-Pesa to PROMOTIONS', p.journal_id::text, count(*) || ' postings'
FROM posting p
WHERE p.kind = 'FUNDING'
GROUP BY p.journal_id
HAVING count(*) <> 2
    OR count(*) FILTER (
        WHERE p.account_id = house_account('MPESA_UTILITY') AND p.amount_cents < 0) <> 1
    OR count(*) FILTER (
        WHERE p.account_id = house_account('PROMOTIONS') AND p.amount_cents > 0) <> 1
UNION ALL
SELECT 'another journal than an award uses PROMOTIONS', p.journal_id::text, p.kind
FROM posting p
WHERE p.account_id = house_account('PROMOTIONS')
    AND p.kind NOT IN ('AWARD', 'CREDIT', 'FUNDING', 'REFUND', 'REVERSAL')
UNION ALL
-- A tax goes from the wallet that its payment or award brought money into, and is no more than that
-- money.
SELECT 'tax without the money that it was taken of', tax.journal_id::text, tax.kind
FROM posting tax
WHERE tax.kind IN ('EXCISE', 'WITHHOLDING') AND tax.balance_after_cents IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM journal j JOIN posting p ON p.journal_id = j.id
        WHERE j.ref = tax.ref AND p.account_id = tax.account_id
            AND p.amount_cents >= -tax.amount_cents AND tax.amount_cents < 0
            AND j.kind = ANY (CASE tax.kind WHEN 'EXCISE' THEN ARRAY['TOPUP', 'BOOST']
                                            ELSE ARRAY['AWARD'] END))
UNION ALL
SELECT 'tax that is not owed to the state', p.journal_id::text, count(*) || ' postings'
FROM posting p
WHERE p.kind IN ('EXCISE', 'WITHHOLDING')
GROUP BY p.journal_id
HAVING count(*) <> 2
    OR count(*) FILTER (WHERE p.amount_cents > 0 AND p.account_id = house_account(
        CASE p.kind WHEN 'EXCISE' THEN 'EXCISE_DUTY' ELSE 'WITHHOLDING_TAX' END)) <> 1
UNION ALL
SELECT 'another journal than a tax uses its account', p.journal_id::text, p.kind
FROM posting p
WHERE p.account_id IN (house_account('EXCISE_DUTY'), house_account('WITHHOLDING_TAX'))
    AND p.kind NOT IN ('EXCISE', 'WITHHOLDING', 'REVERSAL')
UNION ALL
-- A duty is returned to the wallet that it was taken from, whole, for a refund of its payment.
SELECT 'duty that was returned without its tax or a refund', back.journal_id::text, back.ref::text
FROM posting back
JOIN journal j ON j.id = back.journal_id
WHERE back.account_id IN (house_account('EXCISE_DUTY'), house_account('WITHHOLDING_TAX'))
    AND back.kind = 'REVERSAL'
    AND NOT (
        EXISTS (SELECT FROM posting tax
            WHERE tax.journal_id = j.reverses_id AND tax.kind = 'EXCISE' AND tax.ref = back.ref
                AND tax.account_id = back.account_id AND tax.amount_cents = -back.amount_cents
                AND tax.counterparty_id = back.counterparty_id)
        AND EXISTS (SELECT FROM journal paid JOIN journal refund ON refund.reverses_id = paid.id
            WHERE paid.ref = back.ref AND paid.kind IN ('TOPUP', 'BOOST')
                AND refund.kind = 'REFUND'))
UNION ALL
-- 8. A paid subscription has its day, and the days of a subscription are its length, less the
-- revoked parts.
SELECT 'paid and not granted, or granted and not paid', coalesce(pay.id, day.payment_id)::text,
       coalesce(pay.state, 'no payment')
FROM (SELECT * FROM payment WHERE kind = 'SUBSCRIPTION') pay
FULL JOIN subscription_day day ON day.payment_id = pay.id
WHERE (pay.state IS NOT DISTINCT FROM 'SUCCEEDED') <> (day.payment_id IS NOT NULL)
UNION ALL
SELECT 'subscription differs from its days', held.id::text, count(*) || ' days'
FROM subscription held JOIN subscription_day day ON day.subscription_id = held.id
GROUP BY held.id
HAVING held.expires_at - held.starts_at > count(*) * interval '24 hours'
    OR held.expires_at - held.starts_at
       < count(*) FILTER (WHERE day.revoked_at IS NULL) * interval '24 hours'
UNION ALL
-- 9. A payment from outside for a friend or a package is in its payer's history.
SELECT 'payment from outside and history disagree', coalesce(pay.id, line.payment_id)::text,
       coalesce(pay.state, 'no payment')
FROM (SELECT * FROM payment
      WHERE kind IN ('BOOST', 'SUBSCRIPTION') AND method <> 'WALLET' AND state = 'SUCCEEDED') pay
FULL JOIN outside_payment line ON (line.payment_id, line.payer_id, line.kind, line.amount_cents)
    = (pay.id, pay.payer_id, pay.kind, pay.amount_cents)
WHERE pay.id IS NULL OR line.payment_id IS NULL
UNION ALL
-- 10. An operation that was carried out has the journal that it names, of its amount, and every
-- credit and funding has its operation.
SELECT 'operation and journal disagree', operation.id::text, operation.amount_cents::text
FROM money_operation operation
LEFT JOIN posting p ON p.journal_id = operation.journal_id AND p.amount_cents > 0
    AND p.ref = operation.id
    AND p.kind = CASE operation.kind
        WHEN 'OUTFLOW' THEN 'SUSPENSE' WHEN 'FUND' THEN 'FUNDING' ELSE operation.kind END
WHERE operation.journal_id IS NOT NULL AND operation.kind IN ('CREDIT', 'FUND', 'OUTFLOW', 'REFUND')
GROUP BY operation.id
HAVING coalesce(sum(p.amount_cents), 0) <> operation.amount_cents
UNION ALL
SELECT 'credit or funding without its operation', j.id::text, j.ref::text
FROM journal j
WHERE j.kind IN ('CREDIT', 'FUNDING') AND NOT EXISTS (SELECT FROM money_operation operation
    WHERE operation.id = j.ref AND operation.journal_id = j.id AND operation.state = 'DONE')
UNION ALL
-- 11. Paystack's fee for a payment is posted, once.
SELECT 'fee and journal disagree', coalesce(card.payment_id, fee.ref)::text,
       coalesce(card.fees_cents, fee.amount_cents)::text
FROM (SELECT * FROM card_payment WHERE fees_cents > 0) card
FULL JOIN (SELECT * FROM posting WHERE kind = 'FEE' AND amount_cents > 0) fee
    ON (fee.ref, fee.amount_cents, fee.account_id)
        = (card.payment_id, card.fees_cents, house_account('CARD_RECEIVABLE'))
WHERE card.payment_id IS NULL OR fee.ref IS NULL
UNION ALL
-- 12. The money of an erased account leaves the wallet that its journal names for one other wallet.
SELECT 'former account and journal disagree', p.journal_id::text, p.ref::text
FROM posting p
WHERE p.kind = 'FORMER'
GROUP BY p.journal_id, p.ref
HAVING count(*) FILTER (WHERE p.account_id = p.ref AND p.amount_cents < 0) <> 1
    OR count(*) FILTER (WHERE p.account_id <> p.ref AND p.balance_after_cents IS NOT NULL) <> 1;
