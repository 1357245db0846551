//! The cases that wait for an operator, and the log of a payment.

use std::time::Duration;

use mesh::instrument;
use time::OffsetDateTime;

use crate::{
    app::Cx,
    domain::{CaseKind, OpenCase, Operation, OperationId, OperationState, PaymentId},
    error::{Error, Refused},
    store,
};

/// Age at which a payout without an outcome waits for an operator.
pub(super) const UNKNOWN_AFTER: Duration = Duration::from_hours(1);

/// The filter and the place of a page of open cases.
pub(crate) struct CasePage {
    /// The kind of the cases; `None` for all kinds.
    pub(crate) kind: Option<CaseKind>,
    pub(crate) after: Option<PaymentId>,
    pub(crate) limit: i64,
}

/// A page of payments that wait for an operator, and the time of the list.
#[instrument(name = "wallet.list_open_cases", skip_all)]
pub(crate) async fn list_open_cases(
    cx: &Cx,
    page: &CasePage,
) -> Result<(Vec<OpenCase>, OffsetDateTime), Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let before = now - UNKNOWN_AFTER;
    let cases = store::case::list(&mut conn, page.kind, before, page.after, page.limit).await?;
    Ok((cases, now))
}

/// Returns all that is known of a payment, in the order of time.
#[instrument(name = "wallet.inspect_payment", skip_all, fields(payment.id = %payment))]
pub(crate) async fn inspect_payment(
    cx: &Cx,
    payment: PaymentId,
) -> Result<Vec<(OffsetDateTime, String)>, Error> {
    let lines = store::case::log(&mut *cx.db.acquire().await?, payment).await?;
    if lines.is_empty() { Err(Refused::UnknownPayment.into()) } else { Ok(lines) }
}

/// A page of operations, the newest first.
#[instrument(name = "wallet.list_operations", skip_all)]
pub(crate) async fn list_operations(
    cx: &Cx,
    state: Option<OperationState>,
    before: Option<OperationId>,
    limit: i64,
) -> Result<Vec<Operation>, Error> {
    Ok(store::operation::list(&mut *cx.db.acquire().await?, state, before, limit).await?)
}
