//! Erases accounts whose deletion is due.

use mesh::{instrument, jobs::Round};
use metrics::counter;
use tracing::{error, info};

use super::{Cx, former_account::remember_phone};
use crate::{
    error::Error,
    store::{self, deletion::Due},
};

/// Erases every account that is due, each in its own transaction: a crash leaves an account
/// whole or erased, and a failed erasure does not delay the others. A failed one is counted
/// in `erasures_failed_total`, fails the round, and is retried in the next one.
#[instrument(name = "auth.erase_accounts", skip_all)]
pub(crate) async fn erase_accounts(cx: &Cx) -> Result<Round, Error> {
    let (mut last, mut count, mut failure) = (Due::default(), 0_u32, None);
    while !cx.shutdown.is_stopping() {
        // Each account gets its own time: other services list erasures in their order, once they
        // are an hour old.
        let now = cx.clock.now();
        let mut tx = cx.db.begin().await?;
        let Some(due) = store::deletion::lock_next(&mut tx, now, &last).await? else { break };
        let erased = async {
            remember_phone(&mut tx, cx, due.player, now).await?;
            store::deletion::erase(&mut tx, due.player, now).await?;
            tx.commit().await
        };
        match erased.await {
            Ok(()) => count += 1,
            Err(error) => {
                counter!("erasures_failed_total").increment(1);
                error!(player.id = %due.player, %error, "cannot erase an account");
                failure = Some(error);
            }
        }
        last = due;
    }
    if count > 0 {
        info!(count, "erased accounts");
    }
    failure.map_or(Ok(Round::Done), |error| Err(error.into()))
}
