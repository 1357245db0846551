-- Proves that the ledger is consistent: every row that is returned is a violation.

-- 1. The postings of each journal sum to zero.
SELECT 'journal does not balance' AS broken, journal_id::text AS what, sum(amount_cents)::text AS how
FROM posting GROUP BY journal_id HAVING sum(amount_cents) <> 0 OR count(*) < 2
UNION ALL
SELECT 'journal without postings', j.id::text, j.kind
FROM journal j WHERE NOT EXISTS (SELECT FROM posting p WHERE p.journal_id = j.id)
UNION ALL
-- 2. The balance of a wallet is the sum of its postings.
SELECT 'wallet differs from its postings', w.player_id::text,
       w.posted_cents || ' <> ' || coalesce(sum(p.amount_cents), 0)
FROM wallet w LEFT JOIN posting p USING (account_id)
GROUP BY w.account_id HAVING w.posted_cents <> coalesce(sum(p.amount_cents), 0)
UNION ALL
-- 3. The balance after the last posting of a wallet is its balance.
SELECT 'last balance differs from the wallet', w.player_id::text,
       last.balance_after_cents || ' <> ' || w.posted_cents
FROM wallet w
CROSS JOIN LATERAL (
    SELECT balance_after_cents, amount_cents FROM posting p
    WHERE p.account_id = w.account_id ORDER BY p.seq DESC LIMIT 1
) last
WHERE last.balance_after_cents <> w.posted_cents
UNION ALL
-- 4. Every payment that succeeded has one journal, and no other payment has one.
SELECT 'payment and journal disagree', pay.id::text, pay.state || ', ' || count(j.id) || ' journals'
FROM payment pay LEFT JOIN journal j ON j.ref = pay.id AND j.kind IN ('TOPUP', 'BOOST')
GROUP BY pay.id HAVING count(j.id) <> CASE WHEN pay.state = 'SUCCEEDED' THEN 1 ELSE 0 END
UNION ALL
SELECT 'journal moved another amount than its payment', pay.id::text,
       max(p.amount_cents) || ' <> ' || pay.amount_cents
FROM payment pay JOIN journal j ON j.ref = pay.id AND j.kind IN ('TOPUP', 'BOOST')
JOIN posting p ON p.journal_id = j.id
GROUP BY pay.id HAVING max(p.amount_cents) <> pay.amount_cents
UNION ALL
-- 5. Every journal but an award's belongs to a payment, and every conflicted payment is in
-- suspense.
SELECT 'journal without its payment', j.id::text, j.kind
FROM journal j
WHERE j.kind <> 'AWARD' AND NOT EXISTS (SELECT FROM payment pay WHERE pay.id = j.ref)
UNION ALL
SELECT 'set aside and not in suspense', pay.id::text, pay.state
FROM payment pay LEFT JOIN journal j ON j.ref = pay.id AND j.kind = 'SUSPENSE'
WHERE (pay.state = 'CONFLICTED') <> (j.id IS NOT NULL)
UNION ALL
-- 6. An award goes from PROMOTIONS to one wallet, and nothing else uses PROMOTIONS.
SELECT 'award that is not from PROMOTIONS to one wallet', j.id::text, count(*) || ' postings'
FROM journal j JOIN posting p ON p.journal_id = j.id JOIN account a ON a.id = p.account_id
WHERE j.kind = 'AWARD'
GROUP BY j.id
HAVING count(*) <> 2
    OR count(*) FILTER (WHERE a.kind = 'PROMOTIONS' AND p.amount_cents < 0) <> 1
    OR count(*) FILTER (WHERE a.kind = 'WALLET' AND p.amount_cents > 0) <> 1
UNION ALL
SELECT 'another journal than an award uses PROMOTIONS', j.id::text, j.kind
FROM posting p JOIN account a ON a.id = p.account_id JOIN journal j ON j.id = p.journal_id
WHERE a.kind = 'PROMOTIONS' AND j.kind <> 'AWARD';
