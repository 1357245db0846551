//! `money_operation`, `money_audit`: what operators do with money.

use mesh::{
    db::statement,
    idempotency::{Fingerprint, RequestId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use crate::domain::{
    Dispute, Facts, HouseAccount, LateReversal, MpesaReversalId, NewOperation, Operation,
    OperationId, OperationKind, OperationState, Payment, PaymentId, Received, ReversalState,
    SecondReceipt, UnknownReversal,
};

/// An action of an operator, for the audit.
pub(crate) struct Audited<'a> {
    pub(crate) id: Uuid,
    /// The operation, or the break.
    pub(crate) subject: Uuid,
    pub(crate) payment: Option<PaymentId>,
    pub(crate) operator: &'a str,
    pub(crate) action: &'static str,
    pub(crate) reason: &'a str,
    pub(crate) at: OffsetDateTime,
}

#[statement]
pub(crate) async fn audit(conn: &mut PgConnection, done: Audited<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO money_audit (id, subject_id, payment_id, operator, action, reason, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        done.id,
        done.subject,
        done.payment.map(PaymentId::uuid),
        done.operator,
        done.action,
        done.reason,
        done.at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores an operation that waits. False when the operator has used this request id before; a
/// concurrent request with the same id is waited for.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    operation: &Operation,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> sqlx::Result<bool> {
    let asked = &operation.asked;
    let done = sqlx::query!(
        "INSERT INTO money_operation (id, requested_by, request_id, fingerprint, kind, state,
             payment_id, player_id, amount_cents, receipt, reason, requested_at)
         VALUES ($1, $2, $3, $4, $5, 'WAITING', $6, $7, $8, $9, $10, $11)
         ON CONFLICT ON CONSTRAINT money_operation_request DO NOTHING",
        operation.id.uuid(),
        operation.requested_by,
        request.as_str(),
        fingerprint.as_str(),
        <&str>::from(asked.kind),
        asked.payment.map(PaymentId::uuid),
        asked.player.map(types::PlayerId::uuid),
        operation.amount.cents(),
        asked.receipt,
        asked.reason,
        operation.requested_at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the total of the withdrawals that an operator has approved alone since a time, or, for
/// another kind, of all other operations. Other requests of the operator wait until the transaction
/// ends, so that two at once do not read the same sum.
#[statement]
pub(crate) async fn done_alone(
    conn: &mut PgConnection,
    operator: &str,
    kind: OperationKind,
    since: OffsetDateTime,
) -> sqlx::Result<Money> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('money_operation/' || $1, 0))",
        operator
    )
    .execute(&mut *conn)
    .await?;
    let cents = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount_cents), 0)::bigint AS "cents!" FROM money_operation
           WHERE requested_by = $1 AND decided_by = $1 AND state = 'DONE'
               AND (kind = 'APPROVE') = $2 AND decided_at >= $3"#,
        operator,
        kind == OperationKind::Approve,
        since
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(cents))
}

/// The operation of a request id, with the fingerprint of that request.
#[statement]
pub(crate) async fn find_request(
    conn: &mut PgConnection,
    operator: &str,
    request: &RequestId,
) -> sqlx::Result<Option<(Operation, String)>> {
    let row = sqlx::query!(
        "SELECT id, fingerprint FROM money_operation WHERE requested_by = $1 AND request_id = $2",
        operator,
        request.as_str()
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let operation = find(conn, row.id.into()).await?;
    Ok(operation.map(|operation| (operation, row.fingerprint)))
}

async fn find(conn: &mut PgConnection, id: OperationId) -> sqlx::Result<Option<Operation>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, kind, state, payment_id, player_id, amount_cents, receipt, reason,
                requested_by, requested_at, decided_by, decided_at, by_hand,
                (SELECT r.state FROM mpesa_reversal r WHERE r.id = reversal_id) AS reversal
         FROM money_operation WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// An operation; locks its row until the transaction ends.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: OperationId,
) -> sqlx::Result<Option<Operation>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, kind, state, payment_id, player_id, amount_cents, receipt, reason,
                requested_by, requested_at, decided_by, decided_at, by_hand,
                (SELECT r.state FROM mpesa_reversal r WHERE r.id = reversal_id) AS reversal
         FROM money_operation WHERE id = $1 FOR UPDATE",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// How an operation ended.
pub(crate) struct Decided<'a> {
    pub(crate) state: OperationState,
    pub(crate) by: &'a str,
    pub(crate) reason: &'a str,
    pub(crate) at: OffsetDateTime,
    pub(crate) journal: Option<Uuid>,
    /// Whether an operator must still act in a provider's portal.
    pub(crate) by_hand: bool,
    /// The reversal that the operation ordered, resent or ended.
    pub(crate) reversal: Option<MpesaReversalId>,
}

impl<'a> Decided<'a> {
    /// Builds the decision on an operation that is not carried out.
    pub(crate) const fn refused(by: &'a str, reason: &'a str, at: OffsetDateTime) -> Self {
        let state = OperationState::Refused;
        Self { state, by, reason, at, journal: None, by_hand: false, reversal: None }
    }
}

/// Ends an operation that waits; returns the state of its reversal.
#[statement]
pub(crate) async fn decide(
    conn: &mut PgConnection,
    id: OperationId,
    decided: &Decided<'_>,
) -> sqlx::Result<Option<ReversalState>> {
    let reversal = sqlx::query_scalar!(
        "UPDATE money_operation SET state = $2, decided_by = $3, decision_reason = $4,
             decided_at = $5, journal_id = $6, by_hand = $7, reversal_id = $8
         WHERE id = $1 AND state = 'WAITING'
         RETURNING (SELECT r.state FROM mpesa_reversal r WHERE r.id = reversal_id)",
        id.uuid(),
        <&str>::from(decided.state),
        decided.by,
        decided.reason,
        decided.at,
        decided.journal,
        decided.by_hand,
        decided.reversal.map(MpesaReversalId::uuid)
    )
    .fetch_one(conn)
    .await?;
    reversal.map(|state| super::parse("mpesa_reversal.state", &state)).transpose()
}

/// Whether a receipt is that of a payment, of a payout or of a reversal, and so of no funding.
#[statement]
pub(crate) async fn is_of_payment(conn: &mut PgConnection, receipt: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM stk_push WHERE receipt IN ($1, lower($1)))
               OR EXISTS (SELECT FROM second_receipt WHERE receipt IN ($1, lower($1)))
               OR EXISTS (SELECT FROM b2c_payout WHERE receipt IN ($1, lower($1)))
               OR EXISTS (SELECT FROM mpesa_reversal WHERE reversal_receipt IN ($1, lower($1))) AS "is!""#,
        receipt
    )
    .fetch_one(conn)
    .await
}

/// A page of operations, the newest first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    state: Option<OperationState>,
    before: Option<OperationId>,
    limit: i64,
) -> sqlx::Result<Vec<Operation>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, kind, state, payment_id, player_id, amount_cents, receipt, reason,
                requested_by, requested_at, decided_by, decided_at, by_hand,
                (SELECT r.state FROM mpesa_reversal r WHERE r.id = reversal_id) AS reversal
         FROM money_operation
         WHERE ($1::text IS NULL OR state = $1) AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3",
        state.map(<&str>::from),
        before.map(OperationId::uuid),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// What the books have of a payment that the caller has locked. An open payout that has not
/// changed since `unknown_before` is a case.
#[statement]
pub(crate) async fn facts(
    conn: &mut PgConnection,
    payment: Payment,
    unknown_before: OffsetDateTime,
) -> sqlx::Result<Facts> {
    let row = sqlx::query!(
        r#"SELECT (SELECT updated_at < $3 FROM payment WHERE id = $1) AS "is_overdue!",
                  (SELECT journal_id FROM money_operation
                   WHERE payment_id = $1 AND kind = 'OUTFLOW' AND state = 'DONE'
                   ORDER BY decided_at DESC, id DESC LIMIT 1) AS outflow,
                  (SELECT id FROM journal
                   WHERE ref = $1 AND kind IN
                       ('TOPUP', 'BOOST', 'SUSPENSE', 'SUBSCRIPTION', 'WITHDRAWAL')) AS journal,
                  (SELECT coalesce(sum(line.amount_cents), 0) FROM posting line
                   JOIN journal j ON j.id = line.journal_id
                   WHERE line.account_id = $2
                       AND (j.ref = $1 OR j.ref IN
                            (SELECT id FROM money_operation WHERE payment_id = $1)))::bigint
                      AS "suspended!",
                  (SELECT coalesce(sum(amount_cents), 0) FROM money_operation operation
                   WHERE payment_id = $1 AND kind = 'REFUND' AND state = 'DONE'
                       AND journal_id IS NOT NULL
                       AND NOT EXISTS (SELECT FROM card_refund refund
                                       WHERE refund.id = operation.id
                                           AND refund.state = 'FAILED')
                       AND NOT EXISTS (SELECT FROM mpesa_reversal reversal
                                       WHERE reversal.id = operation.id
                                           AND (reversal.state = 'FAILED'
                                                    AND reversal.loss_borne_at IS NULL
                                                OR EXISTS (SELECT FROM second_receipt second
                                                    WHERE second.receipt = reversal.receipt))))::bigint
                      AS "refunded!",
                  (SELECT receipt FROM stk_push WHERE payment_id = $1) AS receipt,
                  (SELECT max(line.amount_cents) FROM posting line
                   JOIN journal j ON j.id = line.journal_id
                   WHERE j.ref = $1 AND j.kind IN ('TOPUP', 'BOOST', 'SUSPENSE', 'SUBSCRIPTION'))
                      AS received,
                  (SELECT dispute_state FROM card_payment WHERE payment_id = $1)
                      AS dispute_state,
                  (SELECT dispute_resolution FROM card_payment WHERE payment_id = $1)
                      AS dispute_resolution,
                  EXISTS (SELECT FROM card_payment
                          WHERE payment_id = $1 AND mismatch IS NOT NULL
                              AND mismatch_operation_id IS NULL) AS "has_mismatch!""#,
        payment.id.uuid(),
        HouseAccount::Suspense.id(),
        unknown_before
    )
    .fetch_one(&mut *conn)
    .await?;
    let second = sqlx::query!(
        r#"SELECT receipt, amount_cents,
                  EXISTS (SELECT FROM stk_push push WHERE push.receipt = second.receipt
                              AND push.payment_id <> second.payment_id)
                      OR EXISTS (SELECT FROM b2c_payout payout
                                 WHERE payout.receipt = second.receipt
                                     AND payout.payment_id <> second.payment_id)
                      AS "is_of_another!"
           FROM second_receipt second
           WHERE payment_id = $1 AND operation_id IS NULL ORDER BY found_at, receipt LIMIT 1"#,
        payment.id.uuid()
    )
    .fetch_optional(&mut *conn)
    .await?;
    let refunds = sqlx::query!(
        r#"SELECT id, amount_cents, contradicted_at IS NOT NULL AS "is_contradicted!"
           FROM card_refund
           WHERE payment_id = $1
               AND (state IN ('SENDING', 'PENDING') AND check_due_at IS NULL
                    OR contradicted_at IS NOT NULL AND contradiction_operation_id IS NULL)
           ORDER BY id"#,
        payment.id.uuid()
    )
    .fetch_all(&mut *conn)
    .await?;
    let refund = |is_contradicted| {
        let found = refunds.iter().find(|refund| refund.is_contradicted == is_contradicted);
        found.map(|refund| (refund.id.into(), Money::from_cents(refund.amount_cents)))
    };
    let (unknown_refund, contradicted_refund) = (refund(false), refund(true));
    let unknown = unknown_reversal(&mut *conn, payment.id).await?;
    let late = late_reversal(conn, payment.id).await?;
    let received = row.receipt.zip(row.received);
    Ok(Facts {
        payment,
        is_overdue: row.is_overdue,
        journal: row.journal.map(Into::into),
        outflow: row.outflow.map(Into::into),
        received: received
            .map(|(receipt, cents)| Received { receipt, amount: Money::from_cents(cents) }),
        unknown_reversal: unknown,
        late_reversal: late,
        unknown_refund,
        contradicted_refund,
        has_mismatch: row.has_mismatch,
        suspended: Money::from_cents(row.suspended),
        refunded: Money::from_cents(row.refunded),
        dispute: Dispute::of(row.dispute_state.as_deref(), row.dispute_resolution.as_deref()),
        second: second.map(|second| SecondReceipt {
            receipt: second.receipt,
            amount: second.amount_cents.map(Money::from_cents),
            is_of_another: second.is_of_another,
        }),
    })
}

async fn unknown_reversal(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Option<UnknownReversal>> {
    let row = sqlx::query!(
        r#"SELECT id, receipt, amount_cents,
                  case_kind IS NOT DISTINCT FROM 'OTHER_AMOUNT' AS "is_of_other_amount!"
           FROM mpesa_reversal
           WHERE payment_id = $1 AND state = 'UNKNOWN' ORDER BY id LIMIT 1"#,
        payment.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| UnknownReversal {
        id: row.id.into(),
        receipt: row.receipt,
        amount: Money::from_cents(row.amount_cents),
        is_of_other_amount: row.is_of_other_amount,
    }))
}

/// Returns the payment's late reversal. A late reversal is settled once its receipt has a further
/// reversal that is open or succeeded.
async fn late_reversal(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Option<LateReversal>> {
    let row = sqlx::query!(
        r#"SELECT id, receipt, source, amount_cents,
                  EXISTS (SELECT FROM second_receipt second
                          WHERE second.receipt = first.receipt
                              AND second.operation_id IS NULL) AS "is_open!"
           FROM mpesa_reversal first
           WHERE payment_id = $1 AND case_kind = 'REVERSED_AFTER_FAILURE'
               AND NOT EXISTS (SELECT FROM mpesa_reversal later
                               WHERE later.receipt = first.receipt AND later.state <> 'FAILED')
           ORDER BY id LIMIT 1"#,
        payment.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        Ok(LateReversal {
            id: row.id.into(),
            receipt: row.receipt,
            source: super::parse("mpesa_reversal.source", &row.source)?,
            amount: Money::from_cents(row.amount_cents),
            is_open: row.is_open,
        })
    })
    .transpose()
}

struct Row {
    id: Uuid,
    kind: String,
    state: String,
    payment_id: Option<Uuid>,
    player_id: Option<Uuid>,
    amount_cents: i64,
    receipt: Option<String>,
    reason: String,
    requested_by: String,
    requested_at: OffsetDateTime,
    decided_by: Option<String>,
    decided_at: Option<OffsetDateTime>,
    by_hand: bool,
    reversal: Option<String>,
}

impl Row {
    fn parse(self) -> sqlx::Result<Operation> {
        let amount = Money::from_cents(self.amount_cents);
        let kind = super::parse("money_operation.kind", &self.kind)?;
        // Only these kinds were requested with an amount; a request without one is for the same
        // amount, or is refused.
        let named = matches!(
            kind,
            OperationKind::Credit
                | OperationKind::Fund
                | OperationKind::Outflow
                | OperationKind::Refund
        );
        Ok(Operation {
            id: self.id.into(),
            asked: NewOperation {
                kind,
                payment: self.payment_id.map(Into::into),
                player: self.player_id.map(Into::into),
                amount: named.then_some(amount),
                receipt: self.receipt,
                reason: self.reason,
            },
            state: super::parse("money_operation.state", &self.state)?,
            amount,
            requested_by: self.requested_by,
            requested_at: self.requested_at,
            decided_by: self.decided_by,
            decided_at: self.decided_at,
            by_hand: self.by_hand,
            reversal: self
                .reversal
                .map(|state| super::parse("mpesa_reversal.state", &state))
                .transpose()?,
        })
    }
}
