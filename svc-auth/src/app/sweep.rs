//! Forgetting what has nothing left to say.

use tracing::instrument;

use super::{Cx, revoked_sessions::OVERLAP};
use crate::{error::Error, store};

/// Rows of a table in one statement: short locks, and replicas share the work.
const BATCH: u32 = 1_000;

/// Deletes a batch of each table's rows whose time is over; true when there may be
/// more. Nothing depends on it but the size of the tables: every reader asks the
/// clock itself.
#[instrument(name = "auth.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<bool, Error> {
    let (now, limit) = (cx.clock.now(), i64::from(BATCH));
    // Until then an ended session is read by those who refuse its access tokens.
    let told = now - cx.access.lifetime() - OVERLAP;
    let mut conn = cx.db.acquire().await?;
    let deleted = [
        store::captcha::sweep(&mut conn, now, limit).await?,
        store::guard::sweep(&mut conn, now, limit).await?,
        store::session::sweep_tokens(&mut conn, now, told, limit).await?,
        store::session::sweep(&mut conn, now, told, limit).await?,
        store::challenge::sweep(&mut conn, now, limit).await?,
        store::sending::sweep(&mut conn, now, limit).await?,
        store::sending::sweep_spent(&mut conn, now, limit).await?,
        store::link::sweep(&mut conn, now, limit).await?,
        store::oauth::sweep_attempts(&mut conn, now, limit).await?,
        store::oauth::sweep_exchanges(&mut conn, now, limit).await?,
    ];
    Ok(deleted.contains(&u64::from(BATCH)))
}
