//! The end of an account: asked for, and carried out.

use std::time::Duration;

use mesh::auth::Player;
use metrics::counter;
use tracing::{error, info, instrument};
use types::PlayerId;

use super::Cx;
use crate::{
    error::{Error, Refused},
    store::{self, deletion::Due, player::Standing, session::Ending},
};

/// How long a player may come back.
const GRACE: Duration = Duration::from_hours(30 * 24);

/// Whose account, and whether they mean it.
pub(crate) struct DeleteAccount {
    /// `None` when the uid named nobody, and so not the caller.
    pub(crate) player: Option<PlayerId>,
    pub(crate) confirmed: bool,
}

/// Withdraws the caller from every public reply, ends all their sessions, and sets
/// the day on which they are forgotten. Signing in, by whatever way, undoes it.
#[instrument(name = "auth.delete_account", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn delete_account(
    cx: &Cx,
    caller: Player,
    command: DeleteAccount,
) -> Result<(), Error> {
    if command.player != Some(caller.id) {
        return Err(Refused::ForeignProfile.into());
    }
    if !command.confirmed {
        return Err(Error::invalid("confirm", "Please type DELETE to confirm."));
    }
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    match store::player::lock(&mut tx, caller.id).await? {
        Some(Standing::Staying | Standing::Leaving) => {}
        Some(Standing::Erased) | None => return Err(Refused::PlayerGone.into()),
    }
    store::deletion::mark(&mut tx, caller.id, now + GRACE).await?;
    store::session::end_all(&mut tx, caller.id, None, Ending::AccountDeleted, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Erases those whose time is over, each in a transaction of their own: killed at any
/// statement, it has done nothing of a player or all of it, and one whose erasure fails
/// holds up nobody else.
#[instrument(name = "auth.erase_accounts", skip_all)]
pub(crate) async fn erase_accounts(cx: &Cx) -> Result<(), Error> {
    let now = cx.clock.now();
    let (mut last, mut count) = (Due::default(), 0_u32);
    while !cx.shutdown.is_stopping() {
        let mut tx = cx.db.begin().await?;
        let Some(due) = store::deletion::lock_next(&mut tx, now, &last).await? else { break };
        let erased = match store::deletion::erase(&mut tx, due.player, now).await {
            Ok(()) => tx.commit().await,
            Err(error) => Err(error),
        };
        match erased {
            Ok(()) => count += 1,
            Err(error) => {
                counter!("erasures_failed_total").increment(1);
                error!(player.id = %due.player, %error, "an account was not erased; later, then");
            }
        }
        last = due;
    }
    if count > 0 {
        info!(count, "erased");
    }
    Ok(())
}
