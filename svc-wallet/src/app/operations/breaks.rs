//! Differences with providers' statements, and their resolutions.

use mesh::{auth::Operator, instrument};

use crate::{
    app::Cx,
    domain::{Break, BreakId, check_reason},
    error::{Error, Refused},
    store::{self, operation::Audited},
};

/// Returns a page of breaks, the oldest open ones first.
#[instrument(name = "wallet.list_breaks", skip_all)]
pub(crate) async fn list_breaks(
    cx: &Cx,
    resolved_too: bool,
    after: Option<BreakId>,
    limit: i64,
) -> Result<Vec<Break>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::recon_break::list(&mut conn, None, resolved_too, after, limit).await?)
}

/// Notes how a break was resolved. The first resolution stays.
#[instrument(name = "wallet.resolve_break", skip_all, fields(recon_break.id = %id))]
pub(crate) async fn resolve_break(
    cx: &Cx,
    operator: &Operator,
    id: BreakId,
    resolution: &str,
) -> Result<(), Error> {
    check_reason("resolution", resolution).map_err(Refused::from)?;
    let (by, now) = (operator.name(), cx.clock.now());
    let mut tx = cx.db.begin().await?;
    if store::recon_break::lock(&mut tx, id).await?.ok_or(Refused::UnknownBreak)? {
        return Ok(());
    }
    store::recon_break::resolve(&mut tx, id, Some(by), resolution, now).await?;
    store::mpesa_balance::explain(&mut tx, id).await?;
    let audited = Audited {
        id: cx.rng.uuid_v7(now),
        subject: id.uuid(),
        payment: None,
        operator: by,
        action: "RESOLVED",
        reason: resolution,
        at: now,
    };
    store::operation::audit(&mut tx, audited).await?;
    Ok(tx.commit().await?)
}
