//! Applying the content that operators write.

use mesh::{
    content::{self, Application, Audited},
    instrument,
};
use serde_json::Value;
use sqlx::PgConnection;
use types::Change;

use super::Cx;
use crate::{
    domain::{ContentKind, MethodManifest, Package, PackageManifest},
    error::Error,
    store::{self, content::Audit},
};

/// The content that operators have applied, by key.
pub(crate) struct Content {
    pub(crate) packages: Vec<PackageManifest>,
    pub(crate) methods: Vec<MethodManifest>,
}

/// Creates or changes a subscription package, whose manifest is valid.
#[instrument(name = "wallet.apply_package", skip_all, fields(content.key = package.package.key()))]
pub(crate) async fn apply_package(
    cx: &Cx,
    by: &Application,
    package: &PackageManifest,
) -> Result<Change, Error> {
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let known = store::content::packages(&mut tx).await?;
    let known = known.iter().find(|known| known.package == package.package);
    let change = Change::between(known, package);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_package(&mut tx, package).await?;
        let of = (ContentKind::SubscriptionPackage, package.package.key(), change);
        audit(cx, &mut tx, by, of, Some(package.audit())).await?;
        tx.commit().await?;
    }
    Ok(change)
}

/// Changes how a payment method is shown, by a manifest that is valid.
#[instrument(name = "wallet.apply_method", skip_all, fields(content.key = method.method.key()))]
pub(crate) async fn apply_method(
    cx: &Cx,
    by: &Application,
    method: &MethodManifest,
) -> Result<Change, Error> {
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let known = store::content::methods(&mut tx).await?;
    let known = known.iter().find(|known| known.method == method.method);
    let change = Change::between(known, method);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_method(&mut tx, method).await?;
        let of = (ContentKind::PaymentMethod, method.method.key(), change);
        audit(cx, &mut tx, by, of, Some(method.audit())).await?;
        tx.commit().await?;
        cx.methods.forget();
    }
    Ok(change)
}

/// Removes a subscription package.
#[instrument(name = "wallet.delete_package", skip_all, fields(content.key = package.key()))]
pub(crate) async fn delete_package(
    cx: &Cx,
    by: &Application,
    package: Package,
) -> Result<Change, Error> {
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    if !store::content::delete_package(&mut tx, package).await? {
        return Ok(Change::Unchanged);
    }
    let of = (ContentKind::SubscriptionPackage, package.key(), Change::Deleted);
    audit(cx, &mut tx, by, of, None).await?;
    if !by.dry_run {
        tx.commit().await?;
    }
    Ok(Change::Deleted)
}

/// Returns all content that operators have applied.
#[instrument(name = "wallet.list_content", skip_all)]
pub(crate) async fn list_content(cx: &Cx) -> Result<Content, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(Content {
        packages: store::content::packages(&mut conn).await?,
        methods: store::content::methods(&mut conn).await?,
    })
}

async fn audit(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &Application,
    (kind, key, change): (ContentKind, &str, Change),
    manifest: Option<Value>,
) -> Result<(), Error> {
    let audited = Audited { kind: kind.into(), key, manifest };
    Ok(content::audit(conn, &cx.clock, &cx.rng, by, change, &audited).await?)
}
