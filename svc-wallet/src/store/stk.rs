//! `stk_push`: pushes to phones, and when to ask what became of them.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::Msisdn;
use uuid::Uuid;

use super::payment::read_state;
use crate::domain::{PaymentId, State};

/// A push as callbacks and queries find it.
#[derive(Debug, Clone)]
pub struct Push {
    /// Whose.
    pub payment: PaymentId,
    /// The phone that was asked, as twelve digits.
    pub msisdn: String,
    /// Daraja's name for our request, once it has told us.
    pub merchant: Option<String>,
    /// Daraja's name for the checkout, once known; where Daraja's own reply was lost, by
    /// what a callback said.
    pub checkout: Option<String>,
    /// How often Daraja was asked.
    pub queries: u32,
    /// When it is asked next; the lease, while it is being asked.
    pub due: Option<OffsetDateTime>,
    /// Where the payment stands.
    pub state: State,
    /// When the payment began.
    pub begun: OffsetDateTime,
    /// The trace of the tap.
    pub traceparent: Option<String>,
}

/// Writes down that a phone will be asked.
#[instrument(name = "db.stk_push.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn insert(
    conn: &mut PgConnection,
    payment: PaymentId,
    phone: &Msisdn,
    at: OffsetDateTime,
    query_due_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO stk_push (payment_id, msisdn, created_at, query_due_at)
         VALUES ($1, $2, $3, $4)",
        payment.uuid(),
        phone.digits(),
        at,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// When a phone was rung since `since` and nobody paid, newest first, `most` at most;
/// pushes that never reached it do not count. Waits for the phone's other pushes in
/// the making, so that two at once cannot both find room. Taken after the payer's
/// own lock, never before it.
#[instrument(name = "db.stk_push.rung_in_vain", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn rung_in_vain(
    conn: &mut PgConnection,
    phone: &Msisdn,
    since: OffsetDateTime,
    most: u16,
) -> sqlx::Result<Vec<OffsetDateTime>> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", phone.digits())
        .execute(&mut *conn)
        .await?;
    sqlx::query_scalar!(
        "SELECT s.created_at FROM stk_push s JOIN payment p ON p.id = s.payment_id
         WHERE s.msisdn = $1 AND s.created_at > $2 AND p.state <> 'SUCCEEDED'
           AND (p.failure IS NULL
                OR p.failure NOT IN
                    ('NOT_MPESA', 'PHONE_BUSY', 'TOO_SOON', 'UNREACHABLE', 'TROUBLE'))
         ORDER BY s.created_at DESC LIMIT $3",
        phone.digits(),
        since,
        i64::from(most)
    )
    .fetch_all(conn)
    .await
}

/// Keeps the hash of the secret that the callback's path will carry. Before the
/// call to Daraja, because the callback may be faster than its reply.
#[instrument(name = "db.stk_push.set_secret", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn set_secret(
    conn: &mut PgConnection,
    payment: PaymentId,
    secret_hash: &[u8],
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET secret_hash = $2 WHERE payment_id = $1",
        payment.uuid(),
        secret_hash
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps the names that Daraja gave.
#[instrument(name = "db.stk_push.set_names", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn set_names(
    conn: &mut PgConnection,
    payment: PaymentId,
    merchant_request_id: &str,
    checkout_request_id: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET merchant_request_id = $2, checkout_request_id = $3
         WHERE payment_id = $1",
        payment.uuid(),
        merchant_request_id,
        checkout_request_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps the name under which a callback speaks of the checkout, where Daraja's
/// own reply to us was lost; gives the name that holds. Runs into
/// `stk_push_checkout` when another payment has it.
#[instrument(name = "db.stk_push.adopt_checkout", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn adopt_checkout(
    conn: &mut PgConnection,
    payment: PaymentId,
    checkout_request_id: &str,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE stk_push SET checkout_request_id = coalesce(checkout_request_id, $2)
         WHERE payment_id = $1 RETURNING checkout_request_id",
        payment.uuid(),
        checkout_request_id
    )
    .fetch_one(conn)
    .await
}

/// Keeps how it ended, and when to ask once more, if at all. What is disputed is
/// asked about in any case.
#[instrument(name = "db.stk_push.set_result", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn set_result(
    conn: &mut PgConnection,
    payment: PaymentId,
    result_code: &str,
    ask_again_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET result_code = $2,
             query_due_at = CASE WHEN disputed THEN query_due_at ELSE $3 END
         WHERE payment_id = $1",
        payment.uuid(),
        result_code,
        ask_again_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps the receipt, unless there is one; gives the receipt that holds. Runs into
/// `stk_push_receipt` when another payment has it.
#[instrument(name = "db.stk_push.set_receipt", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn set_receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE stk_push SET receipt = coalesce(receipt, $2), paid_at = coalesce(paid_at, $3)
         WHERE payment_id = $1 RETURNING receipt",
        payment.uuid(),
        receipt,
        paid_at
    )
    .fetch_one(conn)
    .await
}

/// The push whose callback carries this secret.
#[instrument(name = "db.stk_push.find_by_secret", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find_by_secret(
    conn: &mut PgConnection,
    secret_hash: &[u8],
) -> sqlx::Result<Option<Push>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT s.payment_id, s.msisdn, s.merchant_request_id, s.checkout_request_id, s.queries,
                s.query_due_at, p.state, p.failure, p.created_at, p.traceparent
         FROM stk_push s JOIN payment p ON p.id = s.payment_id WHERE s.secret_hash = $1",
        secret_hash
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::read).transpose()
}

/// Takes the pushes that are due for a question, and leases each for
/// `lease_until`, so that replicas do not ask twice and a replica that dies
/// leaves them to the next. In no span: it is asked once a second, mostly for
/// nothing.
pub async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease_until: OffsetDateTime,
    most: i64,
) -> sqlx::Result<Vec<Push>> {
    let rows = sqlx::query_as!(
        Row,
        "WITH due AS (
             SELECT payment_id FROM stk_push WHERE query_due_at <= $1
             ORDER BY query_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE stk_push s SET query_due_at = $2, queries = queries + 1
         FROM due JOIN payment p ON p.id = due.payment_id
         WHERE s.payment_id = due.payment_id
         RETURNING s.payment_id, s.msisdn, s.merchant_request_id, s.checkout_request_id,
                   s.queries, s.query_due_at, p.state, p.failure, p.created_at, p.traceparent",
        now,
        lease_until,
        most
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::read).collect()
}

/// Puts the next question in the place of the one that was under way; `None` when
/// Daraja has said how it ended. Not where something else has been put there
/// meanwhile: a result, or a dispute.
#[instrument(name = "db.stk_push.set_due", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn set_due(
    conn: &mut PgConnection,
    push: &Push,
    due: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET query_due_at = $3, disputed = disputed AND $3::timestamptz IS NOT NULL
         WHERE payment_id = $1 AND query_due_at = $2",
        push.payment.uuid(),
        push.due,
        due
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Has Daraja asked at `at`, if not before, also where nothing was left to ask: a
/// message said something that could not be taken at its word. What has been paid
/// is beyond dispute.
#[instrument(name = "db.stk_push.dispute", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn dispute(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push s SET disputed = true, query_due_at = least(s.query_due_at, $2)
         FROM payment p WHERE p.id = s.payment_id AND s.payment_id = $1
             AND p.state NOT IN ('SUCCEEDED', 'CONFLICTED')",
        payment.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    payment_id: Uuid,
    msisdn: String,
    merchant_request_id: Option<String>,
    checkout_request_id: Option<String>,
    queries: i32,
    query_due_at: Option<OffsetDateTime>,
    state: String,
    failure: Option<String>,
    created_at: OffsetDateTime,
    traceparent: Option<String>,
}

impl Row {
    fn read(self) -> sqlx::Result<Push> {
        Ok(Push {
            payment: self.payment_id.into(),
            msisdn: self.msisdn,
            merchant: self.merchant_request_id,
            checkout: self.checkout_request_id,
            queries: u32::try_from(self.queries).unwrap_or(u32::MAX),
            due: self.query_due_at,
            state: read_state(&self.state, self.failure.as_deref())?,
            begun: self.created_at,
            traceparent: self.traceparent,
        })
    }
}
