//! Stores a provider's result code and receipt at the end of a payment, in the provider's table.

use mesh::db;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::error;

use crate::{
    app::payin::settled::{CALLBACK, CONFIRM_AFTER, Settled},
    domain::{Evidence, Method, Payment, ProviderRefusal},
    error::Error,
    store,
};

/// Stores the provider's result code. Daraja is queried once more about a doubtful refusal
/// in a callback; the result of a query is final.
pub(crate) async fn store_result(
    conn: &mut PgConnection,
    payment: &Payment,
    evidence: &Evidence,
    now: OffsetDateTime,
    cause: &str,
) -> Result<(), Error> {
    let (id, is_paid) = (payment.id, matches!(evidence, Evidence::Paid { .. }));
    let refusal = match evidence {
        Evidence::Paid { .. } => None,
        Evidence::Refused { refusal } => Some(refusal),
    };
    let code = |paid: &'static str| refusal.map_or(paid, |refusal| refusal.code.as_str());
    match payment.method {
        Method::Mpesa => {
            let confirm = refusal.is_some_and(ProviderRefusal::is_doubtful);
            let due = (confirm && cause == CALLBACK).then_some(now + CONFIRM_AFTER);
            store::stk_push::set_result(conn, id, code("0"), due).await?;
        }
        Method::Card => {
            store::card_payment::set_result(conn, id, code("success"), is_paid).await?;
        }
        Method::SafaricomCredit => {
            store::airtime_charge::set_result(conn, id, code("0000")).await?;
        }
        Method::Wallet | Method::Paypal => return Err(no_provider(payment.method)),
    }
    Ok(())
}

/// Stores the receipt. Unless the result is [`Settled::Applied`], the caller must roll the
/// transaction back.
pub(crate) async fn store_receipt(
    conn: &mut PgConnection,
    payment: &Payment,
    evidence: &Evidence,
) -> Result<Settled, Error> {
    let Evidence::Paid { receipt: Some(receipt), at, .. } = evidence else {
        return Ok(Settled::Applied);
    };
    let (id, at) = (payment.id, *at);
    let stored = match payment.method {
        Method::Mpesa => store::stk_push::set_receipt(conn, id, receipt, at).await,
        Method::Card => store::card_payment::set_receipt(conn, id, receipt, at).await,
        Method::SafaricomCredit => store::airtime_charge::set_receipt(conn, id, receipt, at).await,
        Method::Wallet | Method::Paypal => return Err(no_provider(payment.method)),
    };
    match stored {
        Ok(stored) if stored.as_deref() == Some(receipt) => Ok(Settled::Applied),
        Ok(stored) => {
            error!(
                receipt,
                stored, "a payment has a second receipt; an operator must look into it"
            );
            Ok(Settled::SecondReceipt)
        }
        Err(error) if is_receipt(db::violated(&error)) => {
            error!("another payment has this receipt; ignoring the evidence");
            Ok(Settled::ReceiptUsed)
        }
        Err(error) => Err(error.into()),
    }
}

fn is_receipt(constraint: Option<&str>) -> bool {
    matches!(
        constraint,
        Some("stk_push_receipt" | "card_payment_receipt" | "airtime_charge_receipt")
    )
}

fn no_provider(method: Method) -> Error {
    anyhow::anyhow!("a payment by {method:?} has no provider").into()
}
