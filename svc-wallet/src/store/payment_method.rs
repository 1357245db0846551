//! `payment_method`: the payment methods, in the order to show them.

use mesh::db::statement;
use sqlx::PgConnection;
use types::LocalText;

use crate::domain::{ListedMethod, Method};

/// The methods that are enabled.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<ListedMethod>> {
    let rows = sqlx::query!(
        "SELECT id, code, name, name_sw FROM payment_method WHERE enabled ORDER BY position, id"
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let name = LocalText { en: row.name, sw: row.name_sw };
            Ok(ListedMethod { id: row.id.into(), method: parse(&row.code)?, name })
        })
        .collect()
}

/// Parses the code of a method.
pub(super) fn parse(code: &str) -> sqlx::Result<Method> {
    super::parse("payment_method.code", code)
}
