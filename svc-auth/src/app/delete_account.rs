//! Requests the deletion of an account.

use std::time::Duration;

use mesh::{auth::Player, instrument};
use types::PlayerId;

use super::Cx;
use crate::{
    error::{Error, Refused, invalid},
    store::{self, player::AccountState, session::Ending},
};

/// How long a player can cancel the deletion.
const GRACE: Duration = Duration::from_hours(30 * 24);

/// A request to delete an account.
pub(crate) struct DeleteAccount {
    /// `None` when the uid is not a player's id, and so not the caller's.
    pub(crate) player: Option<PlayerId>,
    pub(crate) confirmed: bool,
}

/// Hides the caller from other players, ends all their sessions, and schedules the erasure.
/// Signing in again cancels it.
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
        return Err(invalid("confirm", "DELETE_NOT_TYPED"));
    }
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    match store::player::lock(&mut tx, caller.id).await? {
        Some(AccountState::Active | AccountState::PendingDeletion) => {}
        Some(AccountState::Erased) | None => return Err(Refused::PlayerGone.into()),
    }
    store::deletion::schedule(&mut tx, caller.id, now + GRACE).await?;
    store::session::end_all(&mut tx, caller.id, None, Ending::AccountDeleted, now).await?;
    tx.commit().await?;
    Ok(())
}
