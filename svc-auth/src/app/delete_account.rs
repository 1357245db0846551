//! The end of an account: asked for, and carried out.

use std::time::Duration;

use mesh::auth::Player;
use tracing::{info, instrument};
use types::PlayerId;

use super::Cx;
use crate::{
    error::{Error, Refused},
    store::{self, player::Standing, session::Ending},
};

/// How long a player may come back.
const GRACE: Duration = Duration::from_hours(30 * 24);

/// Players that are erased in one transaction: short locks, and replicas share the
/// work.
const BATCH: u8 = 100;

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

/// Erases a batch of those whose time is over; true when there may be more. Killed at
/// any statement, it has done nothing or all of it.
#[instrument(name = "auth.erase_accounts", skip_all)]
pub(crate) async fn erase_accounts(cx: &Cx) -> Result<bool, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let due = store::deletion::lock_due(&mut tx, now, BATCH.into()).await?;
    if due.is_empty() {
        return Ok(false);
    }
    store::deletion::erase(&mut tx, &due, now).await?;
    tx.commit().await?;
    info!(count = due.len(), "erased");
    Ok(due.len() == usize::from(BATCH))
}
