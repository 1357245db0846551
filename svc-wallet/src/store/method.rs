//! `payment_method`: the ways to pay, in the order to show them.

use sqlx::PgConnection;
use tracing::instrument;
use uuid::Uuid;

use crate::domain::Method;

/// A row of the list.
#[derive(Debug, Clone)]
pub struct Row {
    /// What clients name it by.
    pub id: Uuid,
    /// Which one it is.
    pub method: Method,
    /// What players call it.
    pub name: String,
}

/// All of them.
#[instrument(name = "db.payment_method.list", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query!("SELECT id, code, name FROM payment_method ORDER BY position")
        .fetch_all(conn)
        .await?;
    rows.into_iter()
        .map(|row| Ok(Row { id: row.id, method: read(&row.code)?, name: row.name }))
        .collect()
}

/// The one a client named, if there is such a one.
#[instrument(name = "db.payment_method.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Row>> {
    let row = sqlx::query!("SELECT id, code, name FROM payment_method WHERE id = $1", id)
        .fetch_optional(conn)
        .await?;
    row.map(|row| Ok(Row { id: row.id, method: read(&row.code)?, name: row.name })).transpose()
}

/// The code of a method, as the wire and the tables have it.
pub const fn text(method: Method) -> &'static str {
    match method {
        Method::Mpesa => "MPESA",
        Method::Card => "CARD",
        Method::Wallet => "WALLET",
        Method::SafaricomCredit => "SAFARICOM_CREDIT",
        Method::Paypal => "PAYPAL",
    }
}

/// The method of a code.
pub(super) fn read(text: &str) -> sqlx::Result<Method> {
    match text {
        "MPESA" => Ok(Method::Mpesa),
        "CARD" => Ok(Method::Card),
        "WALLET" => Ok(Method::Wallet),
        "SAFARICOM_CREDIT" => Ok(Method::SafaricomCredit),
        "PAYPAL" => Ok(Method::Paypal),
        other => Err(super::unknown("payment method", other)),
    }
}
