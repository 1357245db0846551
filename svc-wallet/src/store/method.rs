//! `payment_method`: the ways to pay, in the order to show them.

use sqlx::PgConnection;
use tracing::instrument;

use crate::domain::{Listed, Method, MethodId};

/// All of them.
#[instrument(name = "db.payment_method.list", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<Listed>> {
    let rows = sqlx::query!("SELECT id, code, name FROM payment_method ORDER BY position")
        .fetch_all(conn)
        .await?;
    rows.into_iter()
        .map(|row| Ok(Listed { id: row.id.into(), method: read(&row.code)?, name: row.name }))
        .collect()
}

/// The one a client named, if there is such a one.
#[instrument(name = "db.payment_method.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(conn: &mut PgConnection, id: MethodId) -> sqlx::Result<Option<Listed>> {
    let row = sqlx::query!("SELECT code, name FROM payment_method WHERE id = $1", id.uuid())
        .fetch_optional(conn)
        .await?;
    row.map(|row| Ok(Listed { id, method: read(&row.code)?, name: row.name })).transpose()
}

/// The method of a code.
pub(super) fn read(code: &str) -> sqlx::Result<Method> {
    match code {
        "MPESA" => Ok(Method::Mpesa),
        "CARD" => Ok(Method::Card),
        "WALLET" => Ok(Method::Wallet),
        "SAFARICOM_CREDIT" => Ok(Method::SafaricomCredit),
        "PAYPAL" => Ok(Method::Paypal),
        other => Err(super::unknown("payment method", other)),
    }
}
