//! The second operator's decision on an operation that waits.

use mesh::{auth::Operator, instrument};

use super::carry_out::{audit, carry_out, check_receipt, facts, finish};
use crate::{
    app::Cx,
    domain::{InvalidOperation, Operation, OperationId, OperationState, check_reason},
    error::{Error, Refused},
    store::{self, operation::Decided},
};

/// An operator's decision on an operation.
pub(crate) struct Decision {
    pub(crate) approve: bool,
    pub(crate) reason: String,
}

/// Carries out or refuses an operation. An operation that was decided before stays as it is. The
/// operator who requested it may only refuse it.
#[instrument(name = "wallet.decide_operation", skip_all, fields(operation.id = %id))]
pub(crate) async fn decide_operation(
    cx: &Cx,
    operator: &Operator,
    id: OperationId,
    decision: &Decision,
) -> Result<Operation, Error> {
    check_reason("reason", &decision.reason).map_err(Refused::from)?;
    let (by, now) = (operator.name(), cx.clock.now());
    let reason = decision.reason.as_str();
    let mut tx = cx.db.begin().await?;
    let operation = store::operation::lock(&mut tx, id).await?.ok_or(Refused::UnknownOperation)?;
    if operation.state != OperationState::Waiting {
        return Ok(operation);
    }
    if !decision.approve {
        let decided = Decided::refused(by, reason, now);
        store::operation::decide(&mut tx, id, &decided).await?;
        audit(&mut tx, cx, &operation, (by, "REFUSED", reason), now).await?;
        tx.commit().await?;
        return Ok(Operation {
            state: OperationState::Refused,
            decided_by: Some(by.to_owned()),
            decided_at: Some(now),
            ..operation
        });
    }
    if operation.requested_by == by {
        return Err(Refused::SameOperator.into());
    }
    let facts = facts(&mut tx, operation.asked.payment, now).await?;
    check_receipt(&mut tx, &operation.asked).await?;
    let plan = operation.asked.plan(facts.as_ref()).map_err(Refused::from)?;
    if plan.amount != operation.amount {
        let problem = format!("is {} now; refuse this operation, and request another", plan.amount);
        return Err(Refused::from(InvalidOperation::new("amount", problem)).into());
    }
    let done = carry_out(&mut tx, cx, operation, plan, (by, reason), now).await?;
    tx.commit().await?;
    finish(cx, &done);
    Ok(done)
}
