-- The schema of svc-wallet: players' wallets and the double-entry ledger, payments with the
-- records of each provider, subscriptions, operators' work on money, and the outbox.
--
-- Amounts are cents of KES. The service's role reads the ledger (wallet, journal, posting, hold)
-- and writes it only through the functions ledger_*, which run as the owner.

-- ── Ledger: tables ───────────────────────────────────────────────────────────────────────

-- A player's balance. The database itself refuses to spend more than there is.
CREATE TABLE wallet (
    player_id    uuid        NOT NULL,
    -- All money of the wallet: the sum of its postings.
    posted_cents bigint      NOT NULL DEFAULT 0,
    -- The part that open holds set aside for payouts.
    held_cents   bigint      NOT NULL DEFAULT 0,
    -- The day in Nairobi on which money last left the wallet, to a friend or to a phone, and how
    -- much left that day. The daily limit needs no other row: whatever takes money out locks and
    -- writes this one in any case.
    sent_on      date,
    sent_cents   bigint      NOT NULL DEFAULT 0,
    version      bigint      NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT wallet_pkey PRIMARY KEY (player_id),
    CONSTRAINT wallet_held CHECK (held_cents >= 0),
    CONSTRAINT wallet_covers CHECK (posted_cents >= held_cents),
    CONSTRAINT wallet_sent CHECK (sent_cents >= 0),
    CONSTRAINT wallet_is_no_house_account CHECK (player_id NOT BETWEEN
        '00000000-0000-7000-8000-000000000001' AND '00000000-0000-7000-8000-000000000008')
) WITH (
    -- A page keeps room for later versions of its rows, so that no index entry changes.
    fillfactor = 70
);
COMMENT ON TABLE wallet IS 'Rows stay for good: one per player. Nothing removes them.';

-- One balanced entry of the ledger. (kind, ref) names the business event, which is posted once;
-- ref is the id of what happened: a payment, an award, an operation or a refund.
CREATE TABLE journal (
    id          uuid        NOT NULL,
    kind        text        NOT NULL,
    ref         uuid        NOT NULL,
    -- The earlier journal that this one takes back, in whole or in part.
    reverses_id uuid        REFERENCES journal (id),
    created_at  timestamptz NOT NULL,
    CONSTRAINT journal_pkey PRIMARY KEY (id),
    CONSTRAINT journal_once UNIQUE (kind, ref),
    CONSTRAINT journal_kind CHECK (kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'AWARD',
        'WITHDRAWAL', 'SUBSCRIPTION', 'REFUND', 'REVERSAL', 'CREDIT', 'FEE')),
    CONSTRAINT journal_reverses CHECK (reverses_id <> id)
);
COMMENT ON TABLE journal IS 'Rows stay for good: the ledger is append-only, and a trigger refuses what removes them.';

-- One line of a journal. A positive amount credits the account and a negative one debits it; the
-- postings of a journal sum to zero. PlayOn owes a player the sum of the postings on the player's
-- wallet; M-Pesa holds for PlayOn the negative of the sum on MPESA_UTILITY.
--
-- A house account (see house_account) is an id without a row: a row would be locked by every
-- payment. For the same reason it keeps no balance.
CREATE TABLE posting (
    -- The order in which a wallet's balance changed. It is given under the wallet's lock; ids
    -- that several processes make could disagree with it.
    seq                 bigint      GENERATED ALWAYS AS IDENTITY,
    journal_id          uuid        NOT NULL,
    -- A player's id, whose wallet it is, or a house account.
    account_id          uuid        NOT NULL,
    amount_cents        bigint      NOT NULL,
    -- Null for a house account.
    balance_after_cents bigint,
    -- Where the money came from or went to, as the player sees it: a player or a house account.
    -- For a boost by M-Pesa it is the payer, not M-Pesa.
    counterparty_id     uuid        NOT NULL,
    detail              text,
    -- Copies of the journal's columns: a history needs no join.
    kind                text        NOT NULL,
    ref                 uuid        NOT NULL,
    created_at          timestamptz NOT NULL,
    CONSTRAINT posting_pkey PRIMARY KEY (journal_id, account_id),
    CONSTRAINT posting_moves CHECK (amount_cents <> 0),
    -- A house account keeps no balance; every other account is a wallet.
    CONSTRAINT posting_account CHECK ((balance_after_cents IS NULL) =
        (account_id BETWEEN '00000000-0000-7000-8000-000000000001'
                        AND '00000000-0000-7000-8000-000000000008')),
    CONSTRAINT posting_detail CHECK (detail IS NULL OR balance_after_cents IS NOT NULL)
) WITH (
    -- An index-only scan also reads the table's pages that vacuum has not seen. By default vacuum
    -- would wait for a fifth of all postings ever made; it reads only the pages that are new.
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 100000
);
-- The proof finds the postings after its watermark by block range: they are appended in this
-- order.
CREATE INDEX posting_seq ON posting USING brin (seq)
    WITH (pages_per_range = 32, autosummarize = on);
-- A page of a history, newest first, is read from the index alone: its twenty lines are neighbours
-- there, while in the table they are on twenty pages
-- (docs/decisions/0049-a-history-from-its-index.md).
CREATE INDEX posting_history ON posting (account_id, seq DESC)
    INCLUDE (journal_id, kind, ref, amount_cents, balance_after_cents, counterparty_id,
             created_at, detail);
COMMENT ON TABLE posting IS 'Rows stay for good: the ledger is append-only, and a trigger refuses what removes them.';
COMMENT ON COLUMN posting.detail IS 'What no id can say: the contest that an award is for, an operator''s words. No names of players.';

-- Balance set aside for a payout. A hold ends once, by evidence or by an operator, never by time.
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
-- The proof compares open holds with the wallets.
CREATE INDEX hold_open ON hold (player_id) WHERE state = 'HELD';
COMMENT ON TABLE hold IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- Returns the next place in the order of all histories, which is that of the postings. It runs as
-- the owner, whose sequence it is, and stands here because a default of outside_payment calls it.
CREATE FUNCTION history_position() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT nextval(pg_get_serial_sequence('public.posting', 'seq'))
$$;

-- A boost or a package that was paid by M-Pesa, card or airtime. It is a line of its payer's
-- history, though the payer's wallet did not change; the ledger has the money.
CREATE TABLE outside_payment (
    payer_id        uuid        NOT NULL,
    seq             bigint      NOT NULL DEFAULT history_position(),
    -- The payment, and the line's id.
    payment_id      uuid        NOT NULL,
    kind            text        NOT NULL,
    amount_cents    bigint      NOT NULL,
    -- The friend who was boosted, or the house account that has the money.
    counterparty_id uuid        NOT NULL,
    -- What no id can say: the package.
    detail          text,
    created_at      timestamptz NOT NULL,
    CONSTRAINT outside_payment_pkey PRIMARY KEY (payer_id, seq),
    CONSTRAINT outside_payment_once UNIQUE (payment_id),
    CONSTRAINT outside_payment_kind CHECK (kind IN ('BOOST', 'SUBSCRIPTION')),
    CONSTRAINT outside_payment_amount CHECK (amount_cents > 0)
);
COMMENT ON TABLE outside_payment IS 'Rows stay for good: they are lines of histories, as postings are. Nothing removes them yet.';

-- The watermark of the ledger's proof: postings that were proven are not read again.
CREATE TABLE ledger_proof (
    -- The only value is true: the table has one row.
    id         boolean     NOT NULL DEFAULT true,
    -- All postings up to this one are proven.
    proven_seq bigint      NOT NULL DEFAULT 0,
    proven_at  timestamptz,
    -- How far the next proof may go, once all transactions below next_xid have ended: a posting
    -- with a lower number may be committed later than one with a higher number.
    next_seq   bigint      NOT NULL DEFAULT 0,
    next_xid   xid8        NOT NULL DEFAULT '0',
    -- When the proof of the whole ledger, which runs each night, last began.
    whole_at   timestamptz,
    CONSTRAINT ledger_proof_pkey PRIMARY KEY (id),
    CONSTRAINT ledger_proof_one CHECK (id),
    CONSTRAINT ledger_proof_next CHECK (next_seq >= proven_seq)
);
COMMENT ON TABLE ledger_proof IS 'Rows stay for good: there is one.';

-- ── Payments ─────────────────────────────────────────────────────────────────────────────

-- The payment methods as players see them. Operators change names, places and availability.
CREATE TABLE payment_method (
    id       uuid    NOT NULL,
    code     text    NOT NULL,
    name     text    NOT NULL,
    position integer NOT NULL,
    -- A method that is not enabled is not listed, and pays for nothing new.
    enabled  boolean NOT NULL DEFAULT true,
    CONSTRAINT payment_method_pkey PRIMARY KEY (id),
    CONSTRAINT payment_method_code_key UNIQUE (code),
    CONSTRAINT payment_method_code
        CHECK (code IN ('WALLET', 'MPESA', 'CARD', 'SAFARICOM_CREDIT', 'PAYPAL'))
);
COMMENT ON TABLE payment_method IS 'Rows stay until a migration removes them.';

-- One attempt to move money: what a player asked for, and what the provider made of it.
-- Withdrawals and subscriptions are payments too.
CREATE TABLE payment (
    id             uuid        NOT NULL,
    kind           text        NOT NULL,
    -- The package that a subscription is for.
    package        text,
    method         text        NOT NULL,
    payer_id       uuid        NOT NULL,
    beneficiary_id uuid        NOT NULL,
    amount_cents   bigint      NOT NULL,
    fee_cents      bigint      NOT NULL DEFAULT 0,
    state          text        NOT NULL,
    -- Why the payment did not succeed.
    failure        text,
    detail         text,
    -- The first half of the SHA-256 of the payer's request id, and a digest of what was asked.
    -- Digests take a third of the bytes that the texts would take in row and index.
    request_digest uuid        NOT NULL,
    fingerprint    bytea       NOT NULL,
    -- The trace of the request. Whatever settles the payment continues it.
    traceparent    text,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT payment_pkey PRIMARY KEY (id),
    CONSTRAINT payment_request UNIQUE (payer_id, request_digest),
    CONSTRAINT payment_kind
        CHECK (kind IN ('TOPUP', 'BOOST', 'WITHDRAWAL', 'SUBSCRIPTION')),
    CONSTRAINT payment_package CHECK
        ((kind = 'SUBSCRIPTION') = (package IS NOT NULL)
         AND package IN ('bronze', 'silver', 'gold', 'platinum')),
    CONSTRAINT payment_method
        CHECK (method IN ('WALLET', 'MPESA', 'CARD', 'SAFARICOM_CREDIT', 'PAYPAL')),
    CONSTRAINT payment_amount CHECK (amount_cents > 0 AND fee_cents >= 0),
    -- A withdrawal that is HELD is not sent before an operator has looked at it.
    CONSTRAINT payment_state CHECK (state IN ('CREATED', 'HELD', 'SUBMITTING', 'SUBMITTED',
        'SUCCEEDED', 'FAILED', 'EXPIRED', 'CONFLICTED')),
    CONSTRAINT payment_failure CHECK
        ((failure IS NOT NULL) = (state IN ('FAILED', 'EXPIRED', 'CONFLICTED')))
) WITH (
    -- A page keeps room for later versions of its rows: a payment changes its state a few times.
    fillfactor = 85
);
-- The daily limit sums what a player has paid today.
CREATE INDEX payment_of_payer ON payment (payer_id, created_at);
-- The oldest of the payments without an outcome expire.
CREATE INDEX payment_open ON payment (created_at)
    WHERE state IN ('CREATED', 'SUBMITTING', 'SUBMITTED');
-- These payments wait for an operator.
CREATE INDEX payment_of_operators ON payment (id) WHERE state IN ('HELD', 'CONFLICTED');
COMMENT ON TABLE payment IS 'Rows stay for good: they are records of payment, which the law wants kept for years. Nothing removes them yet.';
COMMENT ON COLUMN payment.detail IS 'Of a boost that is open: the payer''s name, for the notification. Removed once it succeeded.';

-- The history of a payment's states, each with its cause.
CREATE TABLE payment_event (
    payment_id uuid        NOT NULL REFERENCES payment (id),
    seq        bigint      GENERATED ALWAYS AS IDENTITY,
    state      text        NOT NULL,
    cause      text        NOT NULL,
    at         timestamptz NOT NULL,
    CONSTRAINT payment_event_pkey PRIMARY KEY (payment_id, seq)
);
COMMENT ON TABLE payment_event IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- A push to a phone (Lipa na M-Pesa Online), one for each payment that comes in by
-- M-Pesa.
CREATE TABLE stk_push (
    payment_id          uuid        NOT NULL REFERENCES payment (id),
    -- SHA-256 of the secret in the callback's path. It is set just before the push.
    secret_hash         bytea,
    msisdn              text        NOT NULL,
    -- Daraja's ids of the request and of the checkout, from its reply to the push.
    merchant_request_id text,
    checkout_request_id text,
    result_code         text,
    receipt             text,
    paid_at             timestamptz,
    -- A callback about this push could not be applied. Only Daraja's answer to a query ends the
    -- queries then, not what another callback says.
    disputed            boolean     NOT NULL DEFAULT false,
    queries             integer     NOT NULL DEFAULT 0,
    -- When to query Daraja next; null when no query is left.
    query_due_at        timestamptz,
    -- Until when one replica queries Daraja, by the database's clock.
    leased_until        timestamptz,
    created_at          timestamptz NOT NULL,
    CONSTRAINT stk_push_pkey PRIMARY KEY (payment_id),
    CONSTRAINT stk_push_secret UNIQUE (secret_hash),
    CONSTRAINT stk_push_checkout UNIQUE (checkout_request_id),
    CONSTRAINT stk_push_receipt UNIQUE (receipt)
);
CREATE INDEX stk_push_due ON stk_push (query_due_at) WHERE query_due_at IS NOT NULL;
-- The limit of prompts counts those of a phone.
CREATE INDEX stk_push_of_phone ON stk_push (msisdn, created_at);
-- The daily match reads a day's receipts.
CREATE INDEX stk_push_paid ON stk_push (paid_at) WHERE receipt IS NOT NULL;
COMMENT ON TABLE stk_push IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- A payout to a phone by M-Pesa's B2C, one for each withdrawal. Daraja knows it by the payment's
-- id, its OriginatorConversationID.
CREATE TABLE b2c_payout (
    payment_id      uuid        NOT NULL,
    msisdn          text        NOT NULL,
    created_at      timestamptz NOT NULL,
    -- Set just before Daraja is called. After that only Daraja or an operator ends the payout.
    submitted_at    timestamptz,
    -- Daraja's id of the payout.
    conversation_id text,
    result_code     text,
    receipt         text,
    paid_at         timestamptz,
    queries         integer     NOT NULL DEFAULT 0,
    -- When to query Daraja next; null when no query is left.
    query_due_at    timestamptz,
    -- Until when one replica queries Daraja, by the database's clock.
    leased_until    timestamptz,
    -- Why an operator must look at the payout, and since when.
    case_kind       text,
    case_since      timestamptz,
    CONSTRAINT b2c_payout_pkey PRIMARY KEY (payment_id),
    CONSTRAINT b2c_payout_conversation UNIQUE (conversation_id),
    CONSTRAINT b2c_payout_receipt UNIQUE (receipt),
    CONSTRAINT b2c_payout_case CHECK
        ((case_kind IS NULL) = (case_since IS NULL)
         AND case_kind IN ('UNKNOWN', 'OTHER_AMOUNT', 'PAID_AFTER_FAILURE', 'PAID_TWICE'))
);
CREATE INDEX b2c_payout_due ON b2c_payout (query_due_at) WHERE query_due_at IS NOT NULL;
CREATE INDEX b2c_payout_of_operators ON b2c_payout (case_since) WHERE case_kind IS NOT NULL;
COMMENT ON TABLE b2c_payout IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- SHA-256 of the secrets in the paths that Daraja calls about a payout: one secret for the payout
-- itself, and one for each query.
CREATE TABLE b2c_secret (
    secret_hash bytea       NOT NULL,
    payment_id  uuid        NOT NULL REFERENCES b2c_payout (payment_id),
    purpose     text        NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT b2c_secret_pkey PRIMARY KEY (secret_hash),
    CONSTRAINT b2c_secret_purpose CHECK (purpose IN ('PAYOUT', 'QUERY'))
);
COMMENT ON TABLE b2c_secret IS 'Rows stay for good: one for each payout, and up to 30 more for one that Daraja is queried about. Nothing removes them yet.';

-- The hosted page of a payment by card (Paystack) and its result, one for each such payment.
CREATE TABLE card_payment (
    payment_id            uuid        NOT NULL,
    -- The initialisations that were sent. The first one's reference is the payment's id; a later
    -- one has its number appended.
    attempts              smallint    NOT NULL DEFAULT 0,
    -- Until when one call opens the page, by the database's clock.
    opening_until         timestamptz,
    page_url              text,
    -- Paystack's id of the transaction that paid.
    receipt               text,
    -- The status that ended the payment, in Paystack's words.
    result                text,
    paid_at               timestamptz,
    -- The fees that Paystack keeps, for the match with its settlement.
    fees_cents            bigint,
    -- Why a transaction that says "success" was not credited, for an operator.
    mismatch              text,
    -- The operation that closed the mismatch.
    mismatch_operation_id uuid,
    verifies              integer     NOT NULL DEFAULT 0,
    -- When to verify the transaction next; null when no verification is left.
    verify_due_at         timestamptz,
    -- Until when one replica verifies it, by the database's clock.
    leased_until          timestamptz,
    -- When a read by the player last caused a verification.
    looked_at             timestamptz,
    -- The card owner's dispute.
    dispute_id            text,
    dispute_state         text,
    dispute_resolution    text,
    disputed_cents        bigint,
    disputed_at           timestamptz,
    created_at            timestamptz NOT NULL,
    CONSTRAINT card_payment_pkey PRIMARY KEY (payment_id),
    CONSTRAINT card_payment_receipt UNIQUE (receipt),
    CONSTRAINT card_payment_dispute CHECK (dispute_state IN ('OPEN', 'RESOLVED')),
    CONSTRAINT card_payment_disputed CHECK ((dispute_id IS NULL) = (dispute_state IS NULL))
);
CREATE INDEX card_payment_due ON card_payment (verify_due_at) WHERE verify_due_at IS NOT NULL;
-- Open disputes and open mismatches are cases for operators.
CREATE INDEX card_payment_disputes ON card_payment (disputed_at) WHERE dispute_state = 'OPEN';
CREATE INDEX card_payment_mismatch ON card_payment (payment_id)
    WHERE mismatch IS NOT NULL AND mismatch_operation_id IS NULL;
-- The daily match compares a day's card payments with Paystack's list.
CREATE INDEX card_payment_paid ON card_payment (paid_at) WHERE receipt IS NOT NULL;
COMMENT ON TABLE card_payment IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- Money that is given back to a card. The id is the operation's.
CREATE TABLE card_refund (
    id                         uuid        NOT NULL,
    payment_id                 uuid        NOT NULL,
    amount_cents               bigint      NOT NULL,
    state                      text        NOT NULL,
    -- Paystack's id of the refund.
    provider_id                text,
    -- When to look for the refund at Paystack next; null when no look is left.
    check_due_at               timestamptz,
    -- Until when one replica looks for it, by the database's clock.
    leased_until               timestamptz,
    -- When Paystack first said the opposite of how the refund had ended.
    contradicted_at            timestamptz,
    -- The operation that closed the contradiction.
    contradiction_operation_id uuid,
    created_at                 timestamptz NOT NULL,
    updated_at                 timestamptz NOT NULL,
    CONSTRAINT card_refund_pkey PRIMARY KEY (id),
    CONSTRAINT card_refund_provider UNIQUE (provider_id),
    CONSTRAINT card_refund_amount CHECK (amount_cents > 0),
    -- CREATED: the refund was not sent. SENDING: it was sent, or was about to be when the process
    -- died. PENDING: Paystack has it. DONE, FAILED: Paystack said how it ended.
    CONSTRAINT card_refund_state
        CHECK (state IN ('CREATED', 'SENDING', 'PENDING', 'DONE', 'FAILED'))
);
CREATE INDEX card_refund_of_payment ON card_refund (payment_id);
CREATE INDEX card_refund_due ON card_refund (check_due_at) WHERE check_due_at IS NOT NULL;
-- Refunds of unknown outcome and open contradictions are cases for operators.
CREATE INDEX card_refund_of_operators ON card_refund (payment_id)
    WHERE state IN ('SENDING', 'PENDING') AND check_due_at IS NULL
        OR contradicted_at IS NOT NULL AND contradiction_operation_id IS NULL;
COMMENT ON TABLE card_refund IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- A charge to a phone's airtime by Safaricom's carrier billing, with the player's consent to it.
CREATE TABLE airtime_charge (
    payment_id      uuid        NOT NULL,
    -- Our id of the charge at the carrier: 128 random bits in hex.
    request_id      text        NOT NULL,
    msisdn          text        NOT NULL,
    -- The consent: when it was given, to which version of the text, by which player and request,
    -- and to which amount.
    consented_at    timestamptz NOT NULL,
    consent_version text        NOT NULL,
    consent_player  uuid        NOT NULL,
    consent_request text        NOT NULL,
    consent_cents   bigint      NOT NULL,
    -- The carrier's id of the charge.
    receipt         text,
    -- The code that ended the payment, in the carrier's words.
    result          text,
    paid_at         timestamptz,
    queries         integer     NOT NULL DEFAULT 0,
    -- When a charge without a result becomes a case for operators; null once it has a result or
    -- is a case.
    query_due_at    timestamptz,
    created_at      timestamptz NOT NULL,
    CONSTRAINT airtime_charge_pkey PRIMARY KEY (payment_id),
    CONSTRAINT airtime_charge_request UNIQUE (request_id),
    CONSTRAINT airtime_charge_receipt UNIQUE (receipt)
);
CREATE INDEX airtime_charge_due ON airtime_charge (query_due_at) WHERE query_due_at IS NOT NULL;
-- Charges of unknown outcome are cases for operators.
CREATE INDEX airtime_charge_unknown ON airtime_charge (payment_id)
    WHERE query_due_at IS NULL AND result IS NULL;
COMMENT ON TABLE airtime_charge IS 'Rows stay for good: they prove the consent to a charge. Nothing removes them yet.';

-- A receipt of a payment or payout that has another receipt: the money may have moved twice. The
-- ledger has only the first.
CREATE TABLE second_receipt (
    receipt      text        NOT NULL,
    payment_id   uuid        NOT NULL,
    -- The provider's amount and time; a callback may lack them.
    amount_cents bigint,
    paid_at      timestamptz,
    found_at     timestamptz NOT NULL,
    operation_id uuid,
    CONSTRAINT second_receipt_pkey PRIMARY KEY (receipt)
);
CREATE INDEX second_receipt_of_payment ON second_receipt (payment_id);
CREATE INDEX second_receipt_open ON second_receipt (payment_id) WHERE operation_id IS NULL;
COMMENT ON TABLE second_receipt IS 'Rows stay for good: they belong to records of payment. A few a month.';
COMMENT ON COLUMN second_receipt.operation_id IS 'The operation that credited it, gave it back, posted it as a second payout, or closed it.';

-- Providers' callbacks, stored unchanged and once per content.
CREATE TABLE callback_inbox (
    id           uuid        NOT NULL,
    -- Which provider called, and about what.
    provider     text        NOT NULL,
    content_hash bytea       NOT NULL,
    -- SHA-256 of the secret in the path. The paths for Paystack and the carrier are the same for all
    -- payments: their hash is that of the payment's or charge's id, and empty where the body
    -- names none.
    secret_hash  bytea       NOT NULL,
    body         bytea       NOT NULL,
    source_ip    text        NOT NULL,
    received_at  timestamptz NOT NULL,
    -- What the callback led to; null until the outbox has had it applied.
    outcome      text,
    CONSTRAINT callback_inbox_pkey PRIMARY KEY (id),
    CONSTRAINT callback_once UNIQUE (provider, content_hash),
    -- Paystack's events have up to 64 KiB.
    CONSTRAINT callback_size CHECK (octet_length(body) <= 65536)
);
-- The sweep removes callbacks with an outcome by age.
CREATE INDEX callback_done ON callback_inbox (received_at) WHERE outcome IS NOT NULL;
-- The callbacks of a secret are counted, and shown to operators.
CREATE INDEX callback_of_secret ON callback_inbox (secret_hash);
COMMENT ON TABLE callback_inbox IS 'Rows stay for 90 days (INBOX_RETENTION) once they have an outcome; the job sweep removes them. One without an outcome stays until it has one.';

-- ── Subscriptions ────────────────────────────────────────────────────────────────────────

-- The packages that players can subscribe to. Operators publish them.
CREATE TABLE subscription_package (
    id           uuid   NOT NULL,
    -- The operators' name of the package. Its tier follows from it.
    key          text   NOT NULL,
    description  text   NOT NULL,
    -- The price of a day.
    amount_cents bigint NOT NULL,
    CONSTRAINT subscription_package_pkey PRIMARY KEY (id),
    CONSTRAINT subscription_package_key UNIQUE (key),
    CONSTRAINT subscription_package_tier CHECK (key IN ('bronze', 'silver', 'gold', 'platinum')),
    CONSTRAINT subscription_package_amount CHECK (amount_cents > 0)
);
COMMENT ON TABLE subscription_package IS 'Rows stay until an operator removes them. There are four at most.';

-- A package that a player holds, or held, without a gap.
CREATE TABLE subscription (
    id           uuid        NOT NULL,
    player_id    uuid        NOT NULL,
    package      text        NOT NULL,
    starts_at    timestamptz NOT NULL,
    -- Each day that is bought while the subscription runs moves the end by 24 hours; a day that
    -- is given back moves it towards the present.
    expires_at   timestamptz NOT NULL,
    -- The end that the player was notified of. Another day moves the end, and the player is
    -- notified of that one too.
    notified_end timestamptz,
    CONSTRAINT subscription_pkey PRIMARY KEY (id),
    CONSTRAINT subscription_package CHECK (package IN ('bronze', 'silver', 'gold', 'platinum')),
    CONSTRAINT subscription_order CHECK (expires_at >= starts_at)
);
-- A player's subscriptions are listed by their ends, and looked up for a time.
CREATE INDEX subscription_of_player ON subscription (player_id, expires_at);
-- Players are notified of these ends before they come.
CREATE INDEX subscription_ending ON subscription (expires_at)
    WHERE notified_end IS DISTINCT FROM expires_at;
COMMENT ON TABLE subscription IS 'Rows stay for good: they say what payments bought. Nothing removes them yet.';

-- The day that a payment bought. No foreign key refers to payment, so that payment can be
-- partitioned by month.
CREATE TABLE subscription_day (
    payment_id      uuid        NOT NULL,
    subscription_id uuid        NOT NULL REFERENCES subscription (id),
    granted_at      timestamptz NOT NULL,
    -- When the rest of the day was taken away, because its payment was given back.
    revoked_at      timestamptz,
    CONSTRAINT subscription_day_pkey PRIMARY KEY (payment_id)
);
COMMENT ON TABLE subscription_day IS 'Rows stay for good: they say what payments bought. Nothing removes them yet.';

-- ── Operators ────────────────────────────────────────────────────────────────────────────

-- The audit of content: which operator changed which package or payment method, and to what.
CREATE TABLE content_change (
    id         uuid        NOT NULL,
    operator   text        NOT NULL,
    kind       text        NOT NULL,
    key        text        NOT NULL,
    change     text        NOT NULL,
    -- The manifest after the change; null after a removal.
    content    jsonb,
    changed_at timestamptz NOT NULL,
    CONSTRAINT content_change_pkey PRIMARY KEY (id),
    CONSTRAINT content_change_kind CHECK (kind IN ('SubscriptionPackage', 'PaymentMethod')),
    CONSTRAINT content_change_change CHECK (change IN ('Created', 'Updated', 'Deleted'))
);
COMMENT ON TABLE content_change IS 'Rows stay for good: the audit of what operators published. Some hundred a year.';

-- What an operator does with money: the request, the decision on it, and what it led to.
CREATE TABLE money_operation (
    id              uuid        NOT NULL,
    requested_by    text        NOT NULL,
    -- The operator's idempotency key, and a digest of what was asked.
    request_id      text        NOT NULL,
    fingerprint     text        NOT NULL,
    kind            text        NOT NULL,
    state           text        NOT NULL,
    payment_id      uuid,
    player_id       uuid,
    -- The amount that moves, whether or not the request named it.
    amount_cents    bigint      NOT NULL,
    receipt         text,
    reason          text        NOT NULL,
    requested_at    timestamptz NOT NULL,
    decided_by      text,
    decision_reason text,
    decided_at      timestamptz,
    -- The journal that the operation posted; null where nothing moved in the ledger.
    journal_id      uuid,
    -- Work is left to do in a provider's portal: only the books have the operation.
    by_hand         boolean     NOT NULL DEFAULT false,
    -- The reversal that the operation ordered, had sent again, or ended.
    reversal_id     uuid,
    CONSTRAINT money_operation_pkey PRIMARY KEY (id),
    CONSTRAINT money_operation_request UNIQUE (requested_by, request_id),
    CONSTRAINT money_operation_amount CHECK (amount_cents > 0),
    CONSTRAINT money_operation_kind
        CHECK (kind IN ('CREDIT', 'REFUND', 'RELEASE', 'CONFIRM', 'APPROVE', 'OUTFLOW')),
    CONSTRAINT money_operation_state CHECK (state IN ('WAITING', 'DONE', 'REFUSED')),
    CONSTRAINT money_operation_decided CHECK ((state = 'WAITING') = (decided_at IS NULL)),
    -- Above KES 10,000 a second operator decides.
    CONSTRAINT money_operation_second CHECK
        (state <> 'DONE' OR amount_cents <= 1000000 OR decided_by <> requested_by)
);
CREATE INDEX money_operation_of_payment ON money_operation (payment_id);
CREATE INDEX money_operation_waiting ON money_operation (id) WHERE state = 'WAITING';
-- Second payouts are cases for operators, who decide whose loss each is.
CREATE INDEX money_operation_outflow ON money_operation (payment_id) WHERE kind = 'OUTFLOW';
COMMENT ON TABLE money_operation IS 'Rows stay for good: they say who moved money by hand, and why. Some thousand a year.';

-- The audit of money: which operator did what with which operation or break.
CREATE TABLE money_audit (
    id         uuid        NOT NULL,
    -- An operation or a break.
    subject_id uuid        NOT NULL,
    payment_id uuid,
    operator   text        NOT NULL,
    action     text        NOT NULL,
    reason     text        NOT NULL,
    at         timestamptz NOT NULL,
    CONSTRAINT money_audit_pkey PRIMARY KEY (id),
    CONSTRAINT money_audit_action CHECK (action IN ('REQUESTED', 'DONE', 'REFUSED', 'RESOLVED'))
);
CREATE INDEX money_audit_of_payment ON money_audit (payment_id);
COMMENT ON TABLE money_audit IS 'Rows stay for good: the audit of money moved by hand, and a trigger refuses what removes them.';

-- A refund to M-Pesa that Daraja carries out by its reversal; the id is the operation's. The
-- money left the wallet, or suspense, in the operation's transaction.
CREATE TABLE mpesa_reversal (
    id               uuid        NOT NULL,
    payment_id       uuid        NOT NULL,
    -- The receipt of the payment that is given back, always whole.
    receipt          text        NOT NULL,
    amount_cents     bigint      NOT NULL,
    -- Where the money was, and where it returns to when M-Pesa refuses.
    source           text        NOT NULL,
    state            text        NOT NULL,
    -- The calls that may have reached Daraja.
    attempts         integer     NOT NULL DEFAULT 0,
    -- Daraja's id of the last call.
    conversation_id  text,
    result_code      text,
    -- M-Pesa's receipt of the reversal itself.
    reversal_receipt text,
    -- When the last call was made.
    submitted_at     timestamptz,
    -- When an operator last had the reversal sent again: its age counts from then.
    resent_at        timestamptz,
    queries          integer     NOT NULL DEFAULT 0,
    -- When to query Daraja next; null when no query is left.
    query_due_at     timestamptz,
    -- Until when one replica queries Daraja, by the database's clock.
    leased_until     timestamptz,
    -- Why an operator must look at the reversal, and since when.
    case_kind        text,
    case_since       timestamptz,
    -- When PlayOn bore the loss of a reversal that M-Pesa carried out after the money had been
    -- returned.
    loss_borne_at    timestamptz,
    -- The trace of the operation.
    traceparent      text,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT mpesa_reversal_pkey PRIMARY KEY (id),
    CONSTRAINT mpesa_reversal_conversation UNIQUE (conversation_id),
    CONSTRAINT mpesa_reversal_amount CHECK (amount_cents > 0),
    CONSTRAINT mpesa_reversal_source CHECK (source IN ('WALLET', 'SUSPENSE', 'SECOND_RECEIPT')),
    -- CREATED: the reversal was not sent. SUBMITTING: it was sent, or was about to be when the
    -- process died. SUBMITTED: Daraja has it. UNKNOWN: it may have been carried out or not, and is
    -- sent again only by an operator. SUCCEEDED, FAILED: M-Pesa said how it ended, or an operator
    -- decided it.
    CONSTRAINT mpesa_reversal_state CHECK
        (state IN ('CREATED', 'SUBMITTING', 'SUBMITTED', 'UNKNOWN', 'SUCCEEDED', 'FAILED')),
    CONSTRAINT mpesa_reversal_case CHECK
        ((case_kind IS NULL) = (case_since IS NULL)
         AND case_kind IN ('UNKNOWN', 'OTHER_AMOUNT', 'REVERSED_AFTER_FAILURE'))
);
-- A receipt is given back once: two operations cannot both have it sent.
CREATE UNIQUE INDEX mpesa_reversal_once ON mpesa_reversal (receipt) WHERE state <> 'FAILED';
-- The log of a payment, and the facts for a decision on it, read its reversals.
CREATE INDEX mpesa_reversal_of_payment ON mpesa_reversal (payment_id);
CREATE INDEX mpesa_reversal_due ON mpesa_reversal (query_due_at) WHERE query_due_at IS NOT NULL;
-- Reversals without an end, and those that contradict the books, are cases and are counted.
CREATE INDEX mpesa_reversal_open ON mpesa_reversal (created_at)
    WHERE state NOT IN ('SUCCEEDED', 'FAILED') OR case_kind IS NOT NULL;
-- A receipt of M-Pesa belongs to one reversal.
CREATE UNIQUE INDEX mpesa_reversal_receipt ON mpesa_reversal (reversal_receipt)
    WHERE reversal_receipt IS NOT NULL;
COMMENT ON TABLE mpesa_reversal IS 'Rows stay for good: they belong to records of payment. Nothing removes them yet.';

-- SHA-256 of the secrets in the paths that Daraja calls about a reversal: one secret for each
-- call, and one for each query.
CREATE TABLE mpesa_reversal_secret (
    secret_hash bytea       NOT NULL,
    reversal_id uuid        NOT NULL REFERENCES mpesa_reversal (id),
    purpose     text        NOT NULL,
    -- The number of the call; a query has that of the last call.
    attempt     integer     NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT mpesa_reversal_secret_pkey PRIMARY KEY (secret_hash),
    CONSTRAINT mpesa_reversal_secret_purpose CHECK (purpose IN ('REVERSAL', 'QUERY'))
);
-- The log of a payment finds callbacks by these secrets.
CREATE INDEX mpesa_reversal_secret_of ON mpesa_reversal_secret (reversal_id);
COMMENT ON TABLE mpesa_reversal_secret IS 'Rows stay for good: one for each call, and one for each query that was about to be sent, which are up to 30 unless Daraja refuses them. Nothing removes them yet.';

-- A difference (break) between a provider's statement and our records.
CREATE TABLE recon_break (
    id           uuid        NOT NULL,
    provider     text        NOT NULL,
    reference    text        NOT NULL,
    kind         text        NOT NULL,
    -- The day of the statement, in Nairobi.
    day          date        NOT NULL,
    ours_cents   bigint,
    theirs_cents bigint,
    found_at     timestamptz NOT NULL,
    resolved_at  timestamptz,
    -- The operator, or null for the daily match itself.
    resolved_by  text,
    resolution   text,
    CONSTRAINT recon_break_pkey PRIMARY KEY (id),
    CONSTRAINT recon_break_once UNIQUE (provider, reference, kind),
    CONSTRAINT recon_break_provider CHECK (provider IN ('MPESA', 'PAYSTACK')),
    CONSTRAINT recon_break_kind
        CHECK (kind IN ('MISSING_OURS', 'MISSING_THEIRS', 'AMOUNT_DIFFERS')),
    CONSTRAINT recon_break_resolved CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
CREATE INDEX recon_break_open ON recon_break (id) WHERE resolved_at IS NULL;
CREATE INDEX recon_break_done ON recon_break (resolved_at) WHERE resolved_at IS NOT NULL;
COMMENT ON TABLE recon_break IS 'Rows stay for 400 days once they are resolved; the job sweep removes them. An open one stays.';

-- The jobs that run once a day, each with the last day that it has done.
CREATE TABLE daily_job (
    name         text        NOT NULL,
    -- The day in Nairobi.
    done_for     date        NOT NULL,
    -- How much the last round found.
    found        bigint      NOT NULL DEFAULT 0,
    -- Until when one replica runs the job, by the database's clock.
    leased_until timestamptz,
    CONSTRAINT daily_job_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE daily_job IS 'Rows stay for good: one for each job.';

-- The balance that a provider last reported for our payouts.
CREATE TABLE provider_float (
    provider        text        NOT NULL,
    available_cents bigint      NOT NULL,
    said_at         timestamptz NOT NULL,
    CONSTRAINT provider_float_pkey PRIMARY KEY (provider)
);
COMMENT ON TABLE provider_float IS 'Rows stay for good: one for each provider that pays out.';

-- ── Outbox ───────────────────────────────────────────────────────────────────────────────

-- Rows that must reach another service or a later step of this one; see mesh::outbox.
CREATE TABLE outbox (
    topic       text        NOT NULL,
    id          uuid        NOT NULL,
    payload     jsonb       NOT NULL,
    traceparent text,
    attempts    integer     NOT NULL DEFAULT 0,
    -- Attempts that ended without an outcome: their process died, or lost the database.
    crashes     integer     NOT NULL DEFAULT 0,
    -- The row is handed over and not settled yet; due_at is the end of the lease.
    leased      boolean     NOT NULL DEFAULT false,
    due_at      timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    -- Since when the row is a dead letter.
    parked_at   timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (topic, id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX outbox_due ON outbox (topic, due_at) WHERE parked_at IS NULL;
CREATE INDEX outbox_dead_letter ON outbox (topic) WHERE parked_at IS NOT NULL;
COMMENT ON TABLE outbox IS 'Rows stay until they are delivered; the relay removes them. Dead letters stay until an operator decides.';

-- ── Append-only tables ───────────────────────────────────────────────────────────────────

-- Refuses changes to the ledger: corrections are journals of their own. Only a migration may
-- rewrite rows. It runs as the owner, disables the row trigger, and enables it again in the same
-- transaction.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE ON journal
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER journal_stays BEFORE TRUNCATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE ON posting
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER posting_stays BEFORE TRUNCATE ON posting
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Refuses changes to the audit of money.
CREATE FUNCTION money_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'money_audit is append-only'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER money_audit_append_only BEFORE UPDATE OR DELETE ON money_audit
    FOR EACH ROW EXECUTE FUNCTION money_audit_is_append_only();
CREATE TRIGGER money_audit_stays BEFORE TRUNCATE ON money_audit
    FOR EACH STATEMENT EXECUTE FUNCTION money_audit_is_append_only();

-- ── Ledger: invariants ───────────────────────────────────────────────────────────────────

-- Refuses postings that do not balance, have no journal of their kind and reference, or join a
-- journal of an earlier statement: one statement inserts all lines of a journal. The rule holds
-- under savepoints too, because the trigger compares rows and no transaction ids.
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

-- Refuses a journal whose postings are not inserted by the same statement.
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

-- ── Ledger: operations ───────────────────────────────────────────────────────────────────
-- Each operation is one round trip, and returns a refusal as a value.

-- Returns the id of a house account.
CREATE FUNCTION house_account(name text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE name
        -- The money that M-Pesa holds for PlayOn.
        WHEN 'MPESA_UTILITY' THEN uuid '00000000-0000-7000-8000-000000000001'
        -- Money that an operator must decide on.
        WHEN 'SUSPENSE' THEN uuid '00000000-0000-7000-8000-000000000002'
        -- The money that PlayOn gives away: an expense, so its postings are debits.
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

-- Opens the wallets that do not exist yet.
CREATE FUNCTION ledger_open_wallets(p_players uuid[], p_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO wallet (player_id, created_at)
    SELECT DISTINCT player, p_at FROM unnest(p_players) player ORDER BY player
    ON CONFLICT (player_id) DO NOTHING
$$;

-- Posts a journal of two lines: the amount leaves one account and reaches the other. A wallet
-- that is credited is opened if the player has none. Returns POSTED; REPEATED for a (kind, ref)
-- that was posted before, with whatever content; or INSUFFICIENT_FUNDS.
CREATE FUNCTION ledger_post(
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

-- Holds amount and fee of a wallet for a payment. Returns HELD; REPEATED for a payment that has a
-- hold already; INSUFFICIENT_FUNDS; or DAILY_LIMIT. Only HELD has written anything.
--
-- A player moves at most KES 500,000 a day out of the wallet, to friends and to phones together. A
-- hold counts in the wallet's sum of the day, as a boost does, until it is released.
CREATE FUNCTION ledger_hold(
    p_payment uuid, p_player uuid, p_amount bigint, p_fee bigint, p_at timestamptz
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    -- The limit of domain/limits.rs.
    daily_limit CONSTANT bigint := 50000000;
    today CONSTANT date := (p_at AT TIME ZONE 'Africa/Nairobi')::date;
    available bigint;
    -- The amount that has left the wallet today.
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

-- Ends a hold and frees its money. Returns RELEASED; REPEATED or SETTLED for a hold that was
-- released or settled before; or UNKNOWN when there is none.
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
        held_cents = held_cents - ended.amount_cents - ended.fee_cents,
        -- The bound at zero keeps wallet_sent from ever refusing a release.
        sent_cents = CASE
            WHEN sent_on = (ended.created_at AT TIME ZONE 'Africa/Nairobi')::date
                THEN greatest(sent_cents - ended.amount_cents, 0)
            ELSE sent_cents END
        WHERE player_id = ended.player_id;
    RETURN 'RELEASED';
END $$;

-- Ends a hold by its journal (WITHDRAWAL, with the payment as its reference): the amount goes to
-- MPESA_UTILITY, and the fee to WITHDRAWAL_FEE. Returns SETTLED; REPEATED or RELEASED for a hold
-- that was settled or released before; or UNKNOWN when there is none.
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

-- Makes boosts from wallet to wallet, each with its payment, which is the idempotency row, and the
-- outbox row that notifies the friend. The arrays have one entry for each operation. Within a call
-- a payer pays once and is never a payee; a payee may be paid several times. A payer sends at most
-- the daily limit of ledger_hold.
--
-- Returns an outcome for each operation, in order: DONE; REPEATED when the payer has used the
-- request id (the payment tells for what); NO_WALLET when the payee has none; INSUFFICIENT_FUNDS;
-- or DAILY_LIMIT. Only DONE has written anything.
CREATE FUNCTION ledger_transfer(
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
    -- The amount that each wallet may still send today.
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
    -- The wallets are locked first, in order. Two calls with one request id wait here for each
    -- other, because they have one payer.
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
        -- The insert violates payment_request if a payment that moves no money yet took the
        -- request id meanwhile. The caller tries again then, and it is a repeat.
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

-- The service's role reads the ledger and executes its operations. The role's name differs in each
-- installation: it is the role that the owner's default privileges gave rights on the tables
-- (decision 20).
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

-- ── Seed data ────────────────────────────────────────────────────────────────────────────

INSERT INTO payment_method (id, code, name, position) VALUES
    ('00000000-0000-7000-8000-000000000101', 'MPESA', 'M-Pesa', 1),
    ('00000000-0000-7000-8000-000000000102', 'CARD', 'Card', 2),
    ('00000000-0000-7000-8000-000000000103', 'WALLET', 'Wallet', 3),
    ('00000000-0000-7000-8000-000000000104', 'SAFARICOM_CREDIT', 'Safaricom airtime', 4),
    ('00000000-0000-7000-8000-000000000105', 'PAYPAL', 'PayPal', 5);

INSERT INTO ledger_proof DEFAULT VALUES;
