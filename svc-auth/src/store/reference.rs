//! `country`, `currency`.

use mesh::db::statement;
use sqlx::PgConnection;

use crate::domain::{Country, Currency};

/// Whether two codes exist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Existence {
    pub(crate) currency: bool,
    pub(crate) country: bool,
}

/// Looks two codes up. A code that is not given does not exist.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    currency: Option<String>,
    country: Option<String>,
) -> sqlx::Result<Existence> {
    if currency.is_none() && country.is_none() {
        return Ok(Existence { currency: false, country: false });
    }
    sqlx::query_as!(
        Existence,
        r#"SELECT EXISTS (SELECT FROM currency WHERE code = $1) AS "currency!",
                  EXISTS (SELECT FROM country WHERE alpha2 = $2) AS "country!""#,
        currency,
        country,
    )
    .fetch_one(conn)
    .await
}

/// All countries, sorted by name in ICU's order, in which Åland is among the A's.
#[statement]
pub(crate) async fn list_countries(conn: &mut PgConnection) -> sqlx::Result<Vec<Country>> {
    sqlx::query_as!(
        Country,
        r#"SELECT alpha2, alpha3, name, region FROM country
           ORDER BY name COLLATE "und-x-icu", alpha2"#,
    )
    .fetch_all(conn)
    .await
}

/// All currencies, sorted by name.
#[statement]
pub(crate) async fn list_currencies(conn: &mut PgConnection) -> sqlx::Result<Vec<Currency>> {
    sqlx::query_as!(
        Currency,
        r#"SELECT code, name, country_id FROM currency
           ORDER BY name COLLATE "und-x-icu", code"#,
    )
    .fetch_all(conn)
    .await
}
