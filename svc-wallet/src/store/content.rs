//! The content that operators write: tables `subscription_package` and `payment_method`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::PgConnection;
use types::{LocalText, Money};

use super::payment_method;
use crate::domain::{Method, MethodManifest, Package, PackageManifest};

/// A manifest as the audit stores it.
pub(crate) trait Audit {
    fn audit(&self) -> Value;
}

impl Audit for PackageManifest {
    fn audit(&self) -> Value {
        json!({"description": self.description, "amountCents": self.amount.cents()})
    }
}

impl Audit for MethodManifest {
    fn audit(&self) -> Value {
        json!({"name": self.name, "position": self.position, "enabled": self.is_enabled})
    }
}

/// The packages as operators write them, by key.
#[statement]
pub(crate) async fn packages(conn: &mut PgConnection) -> sqlx::Result<Vec<PackageManifest>> {
    let rows = sqlx::query!(
        "SELECT key, description, description_sw, amount_cents FROM subscription_package ORDER BY key"
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(PackageManifest {
                package: super::parse("subscription_package.key", &row.key)?,
                description: LocalText { en: row.description, sw: row.description_sw },
                amount: Money::from_cents(row.amount_cents),
            })
        })
        .collect()
}

#[statement]
pub(crate) async fn put_package(
    conn: &mut PgConnection,
    package: &PackageManifest,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO subscription_package (id, key, description, description_sw, amount_cents)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE
         SET description = EXCLUDED.description, description_sw = EXCLUDED.description_sw,
             amount_cents = EXCLUDED.amount_cents",
        package.package.id().uuid(),
        package.package.key(),
        package.description.en,
        package.description.sw,
        package.amount.cents()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a package; false if there is none.
#[statement]
pub(crate) async fn delete_package(
    conn: &mut PgConnection,
    package: Package,
) -> sqlx::Result<bool> {
    let deleted = sqlx::query!("DELETE FROM subscription_package WHERE key = $1", package.key())
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

/// The payment methods as operators write them, by key.
#[statement]
pub(crate) async fn methods(conn: &mut PgConnection) -> sqlx::Result<Vec<MethodManifest>> {
    let rows = sqlx::query!("SELECT code, name, name_sw, position, enabled FROM payment_method")
        .fetch_all(conn)
        .await?;
    let mut methods = Vec::with_capacity(rows.len());
    for row in rows {
        methods.push(MethodManifest {
            method: payment_method::parse(&row.code)?,
            name: LocalText { en: row.name, sw: row.name_sw },
            position: row.position,
            is_enabled: row.enabled,
        });
    }
    methods.sort_unstable_by_key(|manifest| manifest.method.key());
    Ok(methods)
}

/// Changes how a method is shown. Migrations insert the methods.
#[statement]
pub(crate) async fn put_method(
    conn: &mut PgConnection,
    manifest: &MethodManifest,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payment_method SET name = $2, name_sw = $3, position = $4, enabled = $5
         WHERE code = $1",
        Method::code(manifest.method),
        manifest.name.en,
        manifest.name.sw,
        manifest.position,
        manifest.is_enabled
    )
    .execute(conn)
    .await?;
    Ok(())
}
