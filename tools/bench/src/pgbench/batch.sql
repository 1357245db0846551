-- Sixteen transfers of one group by svc-wallet's own function, between wallets
-- 018f0000-0000-7000-8000-000000000001 to …10000, which must exist. For pgbench on an empty
-- database with svc-wallet's migrations: docs/performance.md, "The ledger's functions".
\set r random(0, 1000)
SELECT ledger_transfer(
    array_agg(gen_random_uuid()), 
    array_agg(gen_random_uuid()), 
    array_agg(('018f0000-0000-7000-8000-'||lpad((:r*4+n)::text,12,'0'))::uuid), 
    array_agg(('018f0000-0000-7000-8000-'||lpad((5001+(:r*7+n*13)%4000)::text,12,'0'))::uuid), 
    array_agg(100::bigint), 
    array_agg(gen_random_uuid()), 
    array_agg('\xabababababababababababababababababababababababababababababababab'::bytea), 
    array_agg('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'::text), 
    array_agg(gen_random_uuid()), 
    array_agg('{"payment":"x","player":"y","amount":"100","from":"ann","at":"2026"}'::jsonb), now())
FROM generate_series(1,16) n;
