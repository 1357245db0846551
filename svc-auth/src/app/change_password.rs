//! Another password, by the old one.

use mesh::auth::Player;
use tracing::instrument;

use super::{Cx, mails, sign_in::count_try};
use crate::{
    domain::{Email, Password},
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// A change whose form is right.
pub(crate) struct ChangePassword {
    pub(crate) email: Email,
    pub(crate) old: Password,
    pub(crate) new: Password,
}

/// Changes the caller's password, and ends all their sessions but this one. Tries count
/// as tries to sign in do: who holds a stolen session has no better way to guess.
#[instrument(name = "auth.change_password", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn change_password(
    cx: &Cx,
    caller: Player,
    command: ChangePassword,
) -> Result<(), Error> {
    // Both before the try is counted: nobody's account is closed by our being busy.
    let (proof, fresh) = (cx.hasher.place()?, cx.hasher.place()?);
    let mut tx = cx.db.begin().await?;
    let found = store::identity::of_player(&mut tx, caller.id).await?;
    let identity = found.ok_or(Refused::NoPasswordLogin)?;
    let account = cx.refresher.account_key(&identity.email);
    count_try(&mut tx, cx, &account, cx.clock.now()).await?;
    tx.commit().await?;

    let verdict = proof.verify(command.old, Some(&identity.password_hash), &cx.chance).await?;
    // The email is the caller's own to know, and no less work when it is wrong.
    if !verdict.is_right() || command.email != identity.email {
        return Err(Refused::ReauthFailed.into());
    }
    let hash = fresh.hash(command.new, &cx.chance).await?;

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // In the order of a sign-in: one by the old password comes before this, or fails.
    store::guard::clear(&mut tx, &account).await?;
    store::player::lock(&mut tx, caller.id).await?;
    let old = &identity.password_hash;
    if !store::identity::replace_password(&mut tx, caller.id, old, &hash).await? {
        // It was changed meanwhile: what was proved is no longer the password.
        return Err(Refused::ReauthFailed.into());
    }
    store::link::end_resets(&mut tx, caller.id, now).await?;
    let (kept, because) = (Some(caller.session), Ending::PasswordChanged);
    store::session::end_all(&mut tx, caller.id, kept, because, now).await?;
    mails::owe_password_changed(&mut tx, cx, caller.id, &identity.email).await?;
    tx.commit().await?;
    cx.bell.ring();
    Ok(())
}
