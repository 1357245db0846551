//! Removing old rows.

use mesh::{instrument, jobs::Round};

use super::Cx;
use crate::{error::Error, store};

/// Rows per statement.
const BATCH: u16 = 500;

/// How long a break is kept once it is resolved: a yearly audit looks at it.
const BREAK_RETENTION: time::Duration = time::Duration::days(400);

/// Removes old callbacks that have an outcome, because they contain phone numbers and the ledger
/// has their effects, the names of payers from old boosts that did not succeed, the phones of
/// payments that no law asks for any more, and old resolved breaks.
#[instrument(name = "wallet.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let before = cx.clock.now() - cx.inbox_retention;
    let removed = store::callback::sweep(&mut conn, before, BATCH.into()).await?;
    let names = store::payment::sweep_names(&mut conn, before, BATCH.into()).await?;
    let before = cx.clock.now() - cx.phone_retention;
    let phones = store::payment::sweep_phones(&mut conn, before, BATCH.into()).await?;
    let before = cx.clock.now() - BREAK_RETENTION;
    let breaks = store::recon_break::sweep(&mut conn, before, BATCH.into()).await?;
    Ok(Round::of_batch(removed.max(names).max(phones).max(breaks), BATCH.into()))
}
