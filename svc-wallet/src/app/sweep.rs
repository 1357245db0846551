//! Forgetting what nobody needs any more.

use tracing::instrument;

use super::Cx;
use crate::{error::Error, store};

/// Messages forgotten in one statement.
const STEP: i64 = 500;

/// Forgets providers' messages that were applied long ago: they name phones, and the
/// ledger has what they brought. True when there may be more.
#[instrument(name = "wallet.sweep", skip_all)]
pub async fn sweep(cx: &Cx) -> Result<bool, Error> {
    let mut conn = cx.pool.acquire().await?;
    let before = cx.clock.now() - cx.inbox_retention;
    let gone = store::inbox::sweep(&mut conn, before, STEP).await?;
    Ok(gone == STEP.unsigned_abs())
}
