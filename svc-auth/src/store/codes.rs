//! `country`, `currency`: what ISO knows.

use sqlx::PgConnection;
use tracing::instrument;

/// Which of two codes exist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) currency: bool,
    pub(crate) country: bool,
}

/// Looks two codes up; one that is not given is not known.
#[instrument(name = "db.codes.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn known(
    conn: &mut PgConnection,
    currency: Option<String>,
    country: Option<String>,
) -> sqlx::Result<Known> {
    if currency.is_none() && country.is_none() {
        return Ok(Known { currency: false, country: false });
    }
    sqlx::query_as!(
        Known,
        r#"SELECT EXISTS (SELECT FROM currency WHERE code = $1) AS "currency!",
                  EXISTS (SELECT FROM country WHERE alpha2 = $2) AS "country!""#,
        currency,
        country,
    )
    .fetch_one(conn)
    .await
}
