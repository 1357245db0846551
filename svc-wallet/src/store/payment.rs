//! `payment`, `payment_event`: what was asked for, and everything that became
//! of it.

use mesh::idempotency::{Fingerprint, RequestId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{Money, Msisdn, PlayerId};
use uuid::Uuid;

use super::method;
use crate::domain::{Failure, Kind, Payment, PaymentId, State};

/// Writes a new payment down. False when the payer has used this request id
/// before: then nothing is written, and [`find_request`] has the first one.
#[instrument(name = "db.payment.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn insert(
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
                 fee_cents, state, failure, request_id, fingerprint, traceparent,
                 created_at, updated_at, detail)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)
             ON CONFLICT ON CONSTRAINT payment_request DO NOTHING
             RETURNING id
         )
         INSERT INTO payment_event (payment_id, state, cause, at)
         SELECT id, $8, 'asked', $13 FROM fresh RETURNING seq",
        payment.id.uuid(),
        kind_text(payment.kind),
        payment.method.code(),
        payment.payer.uuid(),
        payment.beneficiary.uuid(),
        payment.amount.cents(),
        payment.fee.cents(),
        state,
        failure,
        request.as_str(),
        fingerprint.as_str(),
        traceparent,
        payment.begun,
        payment.detail
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// The payment made under a request id, with its fingerprint.
#[instrument(name = "db.payment.find_request", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find_request(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
) -> sqlx::Result<Option<(Payment, String)>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.created_at,
                  stk.msisdn AS "msisdn?"
           FROM payment p LEFT JOIN stk_push stk ON stk.payment_id = p.id
           WHERE p.payer_id = $1 AND p.request_id = $2"#,
        payer.uuid(),
        request.as_str()
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let fingerprint = row.fingerprint.clone();
        Ok((row.read()?, fingerprint))
    })
    .transpose()
}

/// Those of `ids` that `payer` made.
#[instrument(name = "db.payment.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(
    conn: &mut PgConnection,
    payer: PlayerId,
    ids: &[PaymentId],
) -> sqlx::Result<Vec<Payment>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.created_at,
                  stk.msisdn AS "msisdn?"
           FROM payment p LEFT JOIN stk_push stk ON stk.payment_id = p.id
           WHERE p.payer_id = $1 AND p.id = ANY($2)"#,
        payer.uuid(),
        &ids
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::read).collect()
}

/// A payment whose row is locked until the transaction ends.
#[instrument(name = "db.payment.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn lock(conn: &mut PgConnection, id: PaymentId) -> sqlx::Result<Payment> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT p.id, p.kind, p.method, p.payer_id, p.beneficiary_id, p.amount_cents,
                  p.fee_cents, p.state, p.failure, p.fingerprint, p.detail, p.created_at,
                  stk.msisdn AS "msisdn?"
           FROM payment p LEFT JOIN stk_push stk ON stk.payment_id = p.id
           WHERE p.id = $1 FOR UPDATE OF p"#,
        id.uuid()
    )
    .fetch_one(conn)
    .await?;
    row.read()
}

/// Moves a payment on from where it was read under its lock, and writes down why.
#[instrument(name = "db.payment.advance", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn advance(
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
             UPDATE payment SET state = $3, failure = $4, updated_at = $6
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

/// A payment that nobody spoke of for too long.
#[derive(Debug)]
pub struct Overdue {
    /// Which.
    pub id: PaymentId,
    /// The trace of the tap.
    pub traceparent: Option<String>,
}

/// Payments that were begun before `before` and still wait for news, the oldest
/// first. In no span: it is asked once a second, mostly for nothing.
pub async fn overdue(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    most: i64,
) -> sqlx::Result<Vec<Overdue>> {
    sqlx::query_as!(
        Overdue,
        "SELECT id, traceparent FROM payment
         WHERE state IN ('CREATED', 'SUBMITTING', 'SUBMITTED') AND created_at < $1
         ORDER BY created_at LIMIT $2",
        before,
        most
    )
    .fetch_all(conn)
    .await
}

/// What a player has paid in by M-Pesa since `since`, or may still: all but what
/// ended without money. Waits for the player's other payments in the making, so that
/// two at once cannot both find room under the daily limit.
#[instrument(name = "db.payment.paid_since", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn paid_since(
    conn: &mut PgConnection,
    payer: PlayerId,
    since: OffsetDateTime,
    but: PaymentId,
) -> sqlx::Result<Money> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))", payer.to_string())
        .execute(&mut *conn)
        .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount_cents), 0)::bigint AS "total!" FROM payment
           WHERE payer_id = $1 AND created_at >= $2 AND id <> $3 AND method = 'MPESA'
             AND state NOT IN ('FAILED', 'EXPIRED')"#,
        payer.uuid(),
        since,
        but.uuid()
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(total))
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
    fingerprint: String,
    detail: String,
    created_at: OffsetDateTime,
    msisdn: Option<String>,
}

impl Row {
    fn read(self) -> sqlx::Result<Payment> {
        Ok(Payment {
            id: self.id.into(),
            kind: read_kind(&self.kind)?,
            method: method::read(&self.method)?,
            payer: self.payer_id.into(),
            beneficiary: self.beneficiary_id.into(),
            amount: Money::from_cents(self.amount_cents),
            fee: Money::from_cents(self.fee_cents),
            state: read_state(&self.state, self.failure.as_deref())?,
            phone: self.msisdn.as_deref().and_then(|digits| Msisdn::parse(digits).ok()),
            detail: self.detail,
            begun: self.created_at,
        })
    }
}

const fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::TopUp => "TOPUP",
        Kind::Boost => "BOOST",
    }
}

fn read_kind(text: &str) -> sqlx::Result<Kind> {
    match text {
        "TOPUP" => Ok(Kind::TopUp),
        "BOOST" => Ok(Kind::Boost),
        other => Err(super::unknown("payment kind", other)),
    }
}

const fn state_text(state: State) -> (&'static str, Option<&'static str>) {
    match state {
        State::Created => ("CREATED", None),
        State::Submitting => ("SUBMITTING", None),
        State::Submitted => ("SUBMITTED", None),
        State::Succeeded => ("SUCCEEDED", None),
        State::Failed(failure) => ("FAILED", Some(failure_text(failure))),
        State::Expired => ("EXPIRED", Some("EXPIRED")),
        State::Conflicted => ("CONFLICTED", Some("CONFLICTED")),
    }
}

pub(super) fn read_state(state: &str, failure: Option<&str>) -> sqlx::Result<State> {
    Ok(match state {
        "CREATED" => State::Created,
        "SUBMITTING" => State::Submitting,
        "SUBMITTED" => State::Submitted,
        "SUCCEEDED" => State::Succeeded,
        "FAILED" => State::Failed(read_failure(failure.unwrap_or_default())?),
        "EXPIRED" => State::Expired,
        "CONFLICTED" => State::Conflicted,
        other => return Err(super::unknown("payment state", other)),
    })
}

const fn failure_text(failure: Failure) -> &'static str {
    match failure {
        Failure::Cancelled => "CANCELLED",
        Failure::WrongPin => "WRONG_PIN",
        Failure::LowFunds => "LOW_FUNDS",
        Failure::NoAnswer => "NO_ANSWER",
        Failure::NotMpesa => "NOT_MPESA",
        Failure::PhoneBusy => "PHONE_BUSY",
        Failure::OverMpesaLimit => "OVER_MPESA_LIMIT",
        Failure::TooSoon => "TOO_SOON",
        Failure::Unreachable => "UNREACHABLE",
        Failure::Trouble => "TROUBLE",
    }
}

fn read_failure(text: &str) -> sqlx::Result<Failure> {
    Ok(match text {
        "CANCELLED" => Failure::Cancelled,
        "WRONG_PIN" => Failure::WrongPin,
        "LOW_FUNDS" => Failure::LowFunds,
        "NO_ANSWER" => Failure::NoAnswer,
        "NOT_MPESA" => Failure::NotMpesa,
        "PHONE_BUSY" => Failure::PhoneBusy,
        "OVER_MPESA_LIMIT" => Failure::OverMpesaLimit,
        "TOO_SOON" => Failure::TooSoon,
        "UNREACHABLE" => Failure::Unreachable,
        "TROUBLE" => Failure::Trouble,
        other => return Err(super::unknown("failure", other)),
    })
}
