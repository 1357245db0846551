//! Deletes rows past their retention.

use mesh::{instrument, jobs::Round};

use super::{Cx, revoked_sessions::OVERLAP};
use crate::{error::Error, store};

/// Most rows that one statement deletes, so that locks are short and replicas share the work.
const BATCH: u32 = 1_000;

/// Most copies of players' data that one statement deletes, because each has many records.
const COPIES: u32 = 10;

/// Deletes a batch of each table's expired rows. Readers check the time themselves, so this
/// only bounds the size of the tables.
#[instrument(name = "auth.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<Round, Error> {
    let (now, limit) = (cx.clock.now(), i64::from(BATCH));
    // Sessions that ended before this have no access token left that is valid, so that
    // replicas need not read them any more.
    let ended_before = now - cx.access.lifetime() - OVERLAP;
    let mut conn = cx.db.acquire().await?;
    let deleted = [
        store::captcha::sweep(&mut conn, now, limit).await?,
        store::sign_in_rate_limit::sweep(&mut conn, now, limit).await?,
        store::device::sweep(&mut conn, now, limit).await?,
        store::device_challenge::sweep(&mut conn, now, limit).await?,
        store::payout_phone_challenge::sweep(&mut conn, now, limit).await?,
        store::session::sweep_tokens(&mut conn, now, ended_before, limit).await?,
        store::session::sweep(&mut conn, now, ended_before, limit).await?,
        store::challenge::sweep(&mut conn, now, limit).await?,
        store::code_rate_limit::sweep(&mut conn, now, limit).await?,
        store::sms_spent::sweep(&mut conn, now, limit).await?,
        store::mail_spent::sweep(&mut conn, now, limit).await?,
        store::link::sweep(&mut conn, now, limit).await?,
        store::oauth::sweep_attempts(&mut conn, now, limit).await?,
        store::oauth::sweep_exchanges(&mut conn, now, limit).await?,
        store::provider_join::sweep(&mut conn, now, limit).await?,
        store::former_account::sweep(&mut conn, now, limit).await?,
    ];
    let largest = deleted.into_iter().max().unwrap_or_default();
    let copies = store::data_copy::sweep(&mut conn, now, COPIES.into()).await?;
    Ok(match Round::of_batch(copies, COPIES.into()) {
        Round::More => Round::More,
        Round::Done => Round::of_batch(largest, BATCH.into()),
    })
}
