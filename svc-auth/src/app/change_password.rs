//! Another password, by the old one.

use mesh::auth::Player;
use tracing::instrument;

use super::{
    Cx, mails,
    sign_in::{count_try, whose},
};
use crate::{
    domain::{Email, Password, SAID_AGAIN},
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
    let (email, new) = (command.email.clone(), command.new.clone());
    match change(cx, caller, command).await {
        Err(Error::Refused(Refused::ReauthFailed)) => repeat(cx, caller, &email, new).await,
        outcome => outcome,
    }
}

async fn change(cx: &Cx, caller: Player, command: ChangePassword) -> Result<(), Error> {
    // Both before the try is counted: nobody's account is closed by our being busy.
    let (proof, fresh) = (cx.hasher.place()?, cx.hasher.place()?);
    let mut tx = cx.db.begin().await?;
    let found = store::identity::of_player(&mut tx, caller.id).await?;
    let identity = found.ok_or(Refused::NoPasswordLogin)?;
    let account = cx.refresher.account_key(&identity.email);
    count_try(&mut tx, cx, &account, cx.clock.now()).await?;
    tx.commit().await?;

    let verdict = proof.verify(command.old, Some(&identity.password_hash), &cx.rng).await?;
    // The email is the caller's own to know, and no less work when it is wrong.
    if !verdict.is_right() || command.email != identity.email {
        return Err(Refused::ReauthFailed.into());
    }
    let hash = fresh.hash(command.new, &cx.rng).await?;

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // In the order of a sign-in: one by the old password comes before this, or fails.
    store::guard::clear(&mut tx, &account).await?;
    store::player::lock(&mut tx, caller.id).await?;
    let old = &identity.password_hash;
    if !store::identity::change_password(&mut tx, caller, old, &hash, now).await? {
        // It was changed meanwhile: what was proved is no longer the password.
        return Err(Refused::ReauthFailed.into());
    }
    store::link::end_resets(&mut tx, caller.id, now).await?;
    let (kept, because) = (Some(caller.session), Ending::PasswordChanged);
    store::session::end_all(&mut tx, caller.id, kept, because, now).await?;
    mails::owe_password_changed(&mut tx, cx, caller.id, &identity.email).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Ok(())
}

/// The same change once more by the session that made it: its reply was lost, and is given
/// again. Nobody else learns here whether a password is the one that is set.
async fn repeat(cx: &Cx, caller: Player, email: &Email, new: Password) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let login = store::identity::of_player(&mut conn, caller.id).await?;
    drop(conn);
    let since = cx.clock.now() - SAID_AGAIN;
    let made = |(by, at)| by == caller.session && at > since;
    if login.is_some_and(|login| login.email == *email && login.changed.is_some_and(made))
        && whose(cx, cx.hasher.place()?, email, new).await? == Some(caller.id)
    {
        Ok(())
    } else {
        Err(Refused::ReauthFailed.into())
    }
}
