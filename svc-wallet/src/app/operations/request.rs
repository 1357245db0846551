//! Requesting an operation: it is carried out at once, or waits for a second operator.

use mesh::{
    auth::Operator,
    idempotency::{Fingerprint, RequestId},
    instrument,
};
use sqlx::PgConnection;
use types::Money;

use super::carry_out::{audit, carry_out, check_receipt, facts, finish};
use crate::{
    app::Cx,
    domain::{Day, NewOperation, Operation, OperationId, OperationState, needs_second_operator},
    error::{Error, Refused},
    store,
};

/// Requests an operation, once for the operator's request id.
#[instrument(name = "wallet.request_operation", skip_all, fields(operation.id))]
pub(crate) async fn request_operation(
    cx: &Cx,
    operator: &Operator,
    request: &RequestId,
    asked: NewOperation,
) -> Result<Operation, Error> {
    asked.validate().map_err(Refused::from)?;
    let (by, fingerprint) = (operator.name(), fingerprint(&asked));
    let mut conn = cx.db.acquire().await?;
    if let Some(first) = find_repeated(&mut conn, by, request, &fingerprint).await? {
        return Ok(first);
    }
    drop(conn);
    if let Some(player) = asked.player
        && cx.players.names(&[player]).await?.is_empty()
    {
        return Err(Refused::UnknownPlayer.into());
    }

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let (today, _) = Day::of(now).span();
    let alone = store::operation::done_alone(&mut tx, by, asked.kind, today).await?;
    let facts = facts(&mut tx, asked.payment, now).await?;
    // A transaction of the same request may have committed while this one waited for the payment's
    // lock.
    if let Some(first) = find_repeated(&mut tx, by, request, &fingerprint).await? {
        return Ok(first);
    }
    check_receipt(&mut tx, &asked).await?;
    let plan = asked.plan(facts.as_ref()).map_err(Refused::from)?;
    let operation = Operation {
        id: OperationId::generate(&cx.clock, &cx.rng),
        asked,
        state: OperationState::Waiting,
        amount: plan.amount,
        requested_by: by.to_owned(),
        requested_at: now,
        decided_by: None,
        decided_at: None,
        by_hand: false,
        reversal: None,
    };
    tracing::Span::current().record("operation.id", operation.id.to_string());
    if !store::operation::insert(&mut tx, &operation, request, &fingerprint).await? {
        let first = find_repeated(&mut tx, by, request, &fingerprint).await?;
        return first.ok_or(Error::Conflict);
    }
    audit(&mut tx, cx, &operation, (by, "REQUESTED", &operation.asked.reason), now).await?;
    // While the books may be behind the providers, no operator decides alone.
    let is_paused = store::payout_pause::read_shared(&mut tx).await?.is_on();
    if is_paused
        || plan.needs_second_operator
        || needs_second_operator(operation.asked.kind, operation.amount, alone)
    {
        tx.commit().await?;
        return Ok(operation);
    }
    let reason = operation.asked.reason.clone();
    let done = carry_out(&mut tx, cx, operation, plan, (by, &reason), now).await?;
    tx.commit().await?;
    finish(cx, &done);
    Ok(done)
}

/// The operation of an earlier request with this id. Refused when that request had other
/// content.
async fn find_repeated(
    conn: &mut PgConnection,
    by: &str,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Option<Operation>, Error> {
    let Some((operation, first)) = store::operation::find_request(conn, by, request).await? else {
        return Ok(None);
    };
    fingerprint.matches(&first)?;
    Ok(Some(operation))
}

fn fingerprint(asked: &NewOperation) -> Fingerprint {
    let text = |value: Option<String>| value.unwrap_or_default();
    Fingerprint::of(
        "wallet.request_operation",
        &[
            asked.kind.into(),
            &text(asked.payment.map(|payment| payment.to_string())),
            &text(asked.player.map(|player| player.to_string())),
            &text(asked.amount.map(Money::cents).map(|cents| cents.to_string())),
            asked.receipt.as_deref().unwrap_or_default(),
            &asked.reason,
        ],
    )
}
