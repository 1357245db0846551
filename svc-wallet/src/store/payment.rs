//! `payment`, `payment_event`: payments, and the history of their states.

use mesh::{
    db::statement,
    idempotency::{Fingerprint, RequestId},
};
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId};
use uuid::Uuid;

use super::payment_method;
use crate::domain::{
    ByPeriod, Method, Package, Payment, PaymentId, PaymentKind, Period, Review, ReviewReason,
    Spent, State, StateName,
};

/// Stores a new payment. False when the payer has used this request id before: then
/// nothing is stored, and [`find_request`] returns the first payment.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    payment: &Payment,
    request: &RequestId,
    fingerprint: &Fingerprint,
    traceparent: Option<&str>,
) -> sqlx::Result<bool> {
    let (state, failure) = state_text(payment.state);
    let row = sqlx::query!(
        "WITH fresh AS (
             INSERT INTO payment (id, kind, method, payer_id, beneficiary_id, amount_cents,
                 fee_cents, state, failure, request_digest, fingerprint, traceparent,
                 created_at, updated_at, detail, package)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15)
             ON CONFLICT ON CONSTRAINT payment_request DO NOTHING
             RETURNING id
         )
         INSERT INTO payment_event (payment_id, state, cause, at)
         SELECT id, $8, 'created', $13 FROM fresh RETURNING seq",
        payment.id.uuid(),
        <&str>::from(payment.kind),
        payment.method.code(),
        payment.payer.uuid(),
        payment.beneficiary.uuid(),
        payment.amount.cents(),
        payment.fee.cents(),
        state,
        failure,
        digest(request),
        binary(fingerprint)?,
        traceparent,
        payment.created_at,
        open_detail(payment),
        payment.package.map(Package::key)
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// The payment of a request id, with the fingerprint of that request.
#[statement]
pub(crate) async fn find_request(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
) -> sqlx::Result<Option<(Payment, String)>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.package,
                  p.created_at,
                  coalesce(stk.msisdn, b2c.msisdn, air.msisdn) AS msisdn,
                  b2c.review_reason, b2c.review_over_cents, b2c.review_by,
                  card.page_url AS "page_url?"
           FROM payment p
           LEFT JOIN stk_push stk ON stk.payment_id = p.id
           LEFT JOIN b2c_payout b2c ON b2c.payment_id = p.id
           LEFT JOIN card_payment card ON card.payment_id = p.id
           LEFT JOIN airtime_charge air ON air.payment_id = p.id
           WHERE p.payer_id = $1 AND p.request_digest = $2"#,
        payer.uuid(),
        digest(request)
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let fingerprint = hex::encode(&row.fingerprint);
        Ok((row.parse()?, fingerprint))
    })
    .transpose()
}

/// Returns those of `ids` whose payments belong to `payer`.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    payer: PlayerId,
    ids: &[PaymentId],
) -> sqlx::Result<Vec<Payment>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.package,
                  p.created_at,
                  coalesce(stk.msisdn, b2c.msisdn, air.msisdn) AS msisdn,
                  b2c.review_reason, b2c.review_over_cents, b2c.review_by,
                  card.page_url AS "page_url?"
           FROM payment p
           LEFT JOIN stk_push stk ON stk.payment_id = p.id
           LEFT JOIN b2c_payout b2c ON b2c.payment_id = p.id
           LEFT JOIN card_payment card ON card.payment_id = p.id
           LEFT JOIN airtime_charge air ON air.payment_id = p.id
           WHERE p.payer_id = $1 AND p.id = ANY($2)"#,
        payer.uuid(),
        &ids
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// A payment; locks its row until the transaction ends.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection, id: PaymentId) -> sqlx::Result<Payment> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.package,
                  p.created_at,
                  coalesce(stk.msisdn, b2c.msisdn, air.msisdn) AS msisdn,
                  b2c.review_reason, b2c.review_over_cents, b2c.review_by,
                  card.page_url AS "page_url?"
           FROM payment p
           LEFT JOIN stk_push stk ON stk.payment_id = p.id
           LEFT JOIN b2c_payout b2c ON b2c.payment_id = p.id
           LEFT JOIN card_payment card ON card.payment_id = p.id
           LEFT JOIN airtime_charge air ON air.payment_id = p.id
           WHERE p.id = $1 FOR UPDATE OF p"#,
        id.uuid()
    )
    .fetch_one(conn)
    .await?;
    row.parse()
}

/// Changes the state of a locked payment, and adds the change to its history with `cause`.
#[statement]
pub(crate) async fn advance(
    conn: &mut PgConnection,
    payment: &Payment,
    to: State,
    cause: &str,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    let (from, _) = state_text(payment.state);
    let (state, failure) = state_text(to);
    sqlx::query!(
        "WITH moved AS (
             UPDATE payment SET state = $3, failure = $4, updated_at = $6,
                 detail = CASE WHEN $3 = 'SUCCEEDED' THEN NULL ELSE detail END
             WHERE id = $1 AND state = $2 RETURNING id
         )
         INSERT INTO payment_event (payment_id, state, cause, at)
         SELECT id, $3, $5, $6 FROM moved RETURNING seq",
        payment.id.uuid(),
        from,
        state,
        failure,
        cause,
        at
    )
    .fetch_one(conn)
    .await?;
    Ok(())
}

/// An open payment that is due to expire.
#[derive(Debug)]
pub(crate) struct OverduePayment {
    pub(crate) id: PaymentId,
    /// The trace of the top-up.
    pub(crate) traceparent: Option<String>,
}

/// Returns up to `limit` open payments that were created before `before`, the oldest first;
/// payments by card before `cards_before`. Withdrawals are left out: money that may have left stays
/// held until there is evidence. The query has no span, because it runs each second and mostly
/// finds nothing.
pub(crate) async fn overdue(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    cards_before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<OverduePayment>> {
    sqlx::query_as!(
        OverduePayment,
        "SELECT id, traceparent FROM payment
         WHERE state IN ('CREATED', 'SUBMITTING', 'SUBMITTED')
             AND created_at < CASE WHEN method = 'CARD' THEN $2::timestamptz ELSE $1 END
             AND kind <> 'WITHDRAWAL'
         ORDER BY created_at LIMIT $3",
        before,
        cards_before,
        limit
    )
    .fetch_all(conn)
    .await
}

/// Waits for other transactions that are about to insert a payment of this payer, and makes
/// later ones wait, so that two at once cannot both pass the daily limit.
#[statement]
pub(crate) async fn lock_payer(conn: &mut PgConnection, payer: PlayerId) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))", payer.to_string())
        .execute(conn)
        .await?;
    Ok(())
}

/// Returns what the payer of `payment` has moved since `since` in the same direction, open payments
/// included, `payment` itself excluded: into PlayOn from outside, or out of the wallet to friends
/// and phones. Call it after [`lock_payer`].
#[statement]
pub(crate) async fn paid_since(
    conn: &mut PgConnection,
    payment: &Payment,
    since: OffsetDateTime,
) -> sqlx::Result<Money> {
    let total = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount_cents), 0)::bigint AS "total!" FROM payment
           WHERE payer_id = $1 AND created_at >= $2 AND id <> $3
             AND state NOT IN ('FAILED', 'EXPIRED')
             AND CASE WHEN $4
                 THEN kind = 'WITHDRAWAL' OR (kind = 'BOOST' AND method = 'WALLET')
                 ELSE kind <> 'WITHDRAWAL' AND method <> 'WALLET' END"#,
        payment.payer.uuid(),
        since,
        payment.id.uuid(),
        payment.kind == PaymentKind::Withdrawal || payment.method == Method::Wallet
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(total))
}

/// Returns what a player has spent in the periods that `now` is in, open payments included; without
/// the payment `except`.
#[statement]
pub(crate) async fn spent(
    conn: &mut PgConnection,
    payer: PlayerId,
    now: OffsetDateTime,
    except: Option<PaymentId>,
) -> sqlx::Result<Spent> {
    let [day, week, month] = Period::ALL.map(|period| period.begin(now));
    let rows = sqlx::query!(
        r#"SELECT kind = 'SUBSCRIPTION' AS "is_package!",
                  coalesce(sum(amount_cents) FILTER (WHERE created_at >= $2), 0)::bigint AS "day!",
                  coalesce(sum(amount_cents) FILTER (WHERE created_at >= $3), 0)::bigint AS "week!",
                  coalesce(sum(amount_cents) FILTER (WHERE created_at >= $4), 0)::bigint AS "month!"
           FROM payment
           WHERE payer_id = $1 AND created_at >= least($3, $4) AND id IS DISTINCT FROM $5
             AND state NOT IN ('FAILED', 'EXPIRED')
             AND (kind IN ('TOPUP', 'SUBSCRIPTION') OR (kind = 'BOOST' AND method <> 'WALLET'))
           GROUP BY 1"#,
        payer.uuid(),
        day,
        week,
        month,
        except.map(PaymentId::uuid)
    )
    .fetch_all(conn)
    .await?;
    let mut spent = Spent::default();
    for row in rows {
        let [day, week, month] = [row.day, row.week, row.month].map(Money::from_cents);
        let sums = ByPeriod { day, week, month };
        if row.is_package {
            spent.packages = sums;
        } else {
            spent.money_in = sums;
        }
    }
    Ok(spent)
}

/// Removes the payers' names from up to `limit` boosts that failed or expired before `before`;
/// returns how many.
#[statement]
pub(crate) async fn sweep_names(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE payment SET detail = NULL WHERE id IN (
             SELECT id FROM payment
             WHERE detail IS NOT NULL AND state IN ('FAILED', 'EXPIRED') AND updated_at < $1
             ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Removes the phones of up to `limit` payments by each method that ended and began before
/// `before`, and returns the most of one method. A payment that an operator has to decide keeps its
/// phone: one of an unknown outcome, and one with two receipts. One of another amount (CONFLICTED)
/// keeps it for good.
#[statement]
pub(crate) async fn sweep_phones(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let most = sqlx::query_scalar!(
        r#"WITH decided AS NOT MATERIALIZED (
             SELECT id FROM payment WHERE state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')
                 AND NOT EXISTS (SELECT FROM second_receipt
                                 WHERE payment_id = id AND operation_id IS NULL)
         ), push AS (
             UPDATE stk_push SET msisdn = '' WHERE payment_id IN (
                 SELECT payment_id FROM stk_push
                 WHERE msisdn <> '' AND created_at < $1 AND payment_id IN (TABLE decided)
                 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ) RETURNING 1
         ), payout AS (
             UPDATE b2c_payout SET msisdn = '' WHERE payment_id IN (
                 SELECT payment_id FROM b2c_payout
                 WHERE msisdn <> '' AND created_at < $1 AND case_kind IS NULL
                     AND payment_id IN (TABLE decided)
                 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ) RETURNING 1
         ), charge AS (
             UPDATE airtime_charge SET msisdn = '' WHERE payment_id IN (
                 SELECT payment_id FROM airtime_charge
                 WHERE msisdn <> '' AND created_at < $1 AND result IS NOT NULL
                     AND payment_id IN (TABLE decided)
                 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ) RETURNING 1
         )
         SELECT greatest((SELECT count(*) FROM push), (SELECT count(*) FROM payout),
                         (SELECT count(*) FROM charge)) AS "most!""#,
        before,
        limit
    )
    .fetch_one(conn)
    .await?;
    Ok(u64::try_from(most).unwrap_or(0))
}

struct Row {
    id: Uuid,
    kind: String,
    method: String,
    payer_id: Uuid,
    beneficiary_id: Uuid,
    amount_cents: i64,
    fee_cents: i64,
    state: String,
    failure: Option<String>,
    fingerprint: Vec<u8>,
    detail: Option<String>,
    package: Option<String>,
    created_at: OffsetDateTime,
    msisdn: Option<String>,
    review_reason: Option<String>,
    review_over_cents: Option<i64>,
    review_by: Option<OffsetDateTime>,
    page_url: Option<String>,
}

impl Row {
    fn parse(self) -> sqlx::Result<Payment> {
        let review = match (&self.review_reason, self.review_by) {
            (Some(reason), Some(by)) => Some(Review {
                reason: ReviewReason::of_stored(reason),
                over: self.review_over_cents.map(Money::from_cents),
                by,
            }),
            _ => None,
        };
        Ok(Payment {
            id: self.id.into(),
            kind: super::parse("payment.kind", &self.kind)?,
            method: payment_method::parse(&self.method)?,
            payer: self.payer_id.into(),
            beneficiary: self.beneficiary_id.into(),
            amount: Money::from_cents(self.amount_cents),
            fee: Money::from_cents(self.fee_cents),
            state: parse_state(&self.state, self.failure.as_deref())?,
            phone: self.msisdn.as_deref().and_then(|digits| Msisdn::parse(digits).ok()),
            page: self.page_url,
            detail: self.detail.unwrap_or_default(),
            package: match self.package {
                Some(key) => Some(super::parse("payment.package", &key)?),
                None => None,
            },
            review,
            created_at: self.created_at,
        })
    }
}

/// Returns the column `request_digest`: the first half of the SHA-256 of a request id.
pub(super) fn digest(request: &RequestId) -> Uuid {
    let digest = Sha256::digest(request.as_str());
    Uuid::from_bytes(std::array::from_fn(|place| digest[place]))
}

/// Returns the column `fingerprint`.
pub(super) fn binary(fingerprint: &Fingerprint) -> sqlx::Result<Vec<u8>> {
    hex::decode(fingerprint.as_str()).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// Returns the column `detail`, which is set for an open boost.
fn open_detail(payment: &Payment) -> Option<&str> {
    let is_open = payment.kind == PaymentKind::Boost && !payment.state.is_final();
    is_open.then_some(payment.detail.as_str())
}

/// Returns the columns `state` and `failure`.
fn state_text(state: State) -> (&'static str, Option<&'static str>) {
    let text = state.into();
    match state {
        State::Created | State::Held | State::Submitting | State::Submitted | State::Succeeded => {
            (text, None)
        }
        State::Failed(failure) => (text, Some(failure.into())),
        State::Expired | State::Conflicted => (text, Some(text)),
    }
}

/// The state in the columns `state` and `failure`.
pub(super) fn parse_state(state: &str, failure: Option<&str>) -> sqlx::Result<State> {
    Ok(match super::parse("payment.state", state)? {
        StateName::Created => State::Created,
        StateName::Held => State::Held,
        StateName::Submitting => State::Submitting,
        StateName::Submitted => State::Submitted,
        StateName::Succeeded => State::Succeeded,
        StateName::Failed => {
            State::Failed(super::parse("payment.failure", failure.unwrap_or_default())?)
        }
        StateName::Expired => State::Expired,
        StateName::Conflicted => State::Conflicted,
    })
}
