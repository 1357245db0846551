//! `country`, `currency`: what ISO knows.

use sqlx::PgConnection;
use tracing::instrument;

use crate::domain::{Country, Currency};

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

/// All countries, by name as people look it up: Åland stands with the A's.
#[instrument(name = "db.codes.list_countries", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn countries(conn: &mut PgConnection) -> sqlx::Result<Vec<Country>> {
    sqlx::query_as!(
        Country,
        r#"SELECT alpha2, alpha3, name, region FROM country
           ORDER BY name COLLATE "und-x-icu", alpha2"#,
    )
    .fetch_all(conn)
    .await
}

/// All currencies, by name.
#[instrument(name = "db.codes.list_currencies", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn currencies(conn: &mut PgConnection) -> sqlx::Result<Vec<Currency>> {
    sqlx::query_as!(
        Currency,
        r#"SELECT code, name, country_id FROM currency
           ORDER BY name COLLATE "und-x-icu", code"#,
    )
    .fetch_all(conn)
    .await
}
