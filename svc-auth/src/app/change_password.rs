//! Changes a password, authenticated by the old one.

use mesh::{auth::Player, instrument};

use super::{
    Cx, PASSWORD_CHANGED_TOPIC, mails,
    refuse_guessable::refuse_guessable,
    sign_in::{count_attempt, find_player_by_password},
};
use crate::{
    domain::{DeviceId, Email, OwnWords, Password, RETRY_WINDOW, Standing},
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// A valid request to change a password.
pub(crate) struct ChangePassword {
    pub(crate) email: Email,
    pub(crate) old: Password,
    pub(crate) new: Password,
}

/// Changes the caller's password, ends all their sessions but this one, and forgets their other
/// devices. An attempt
/// counts as an attempt to sign in, so that a stolen session is no better way to guess.
#[instrument(name = "auth.change_password", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn change_password(
    cx: &Cx,
    caller: Player,
    command: ChangePassword,
    device: Option<DeviceId>,
) -> Result<(), Error> {
    let (email, new) = (command.email.clone(), command.new.clone());
    match change(cx, caller, command, device).await {
        Err(Error::Refused(Refused::ReauthFailed)) => replay(cx, caller, &email, new, device).await,
        outcome => outcome,
    }
}

async fn change(
    cx: &Cx,
    caller: Player,
    command: ChangePassword,
    device: Option<DeviceId>,
) -> Result<(), Error> {
    // Acquire both hash permits first, so that overload never counts as a failed sign-in.
    let (old_permit, new_permit) = (cx.hasher.acquire()?, cx.hasher.acquire()?);
    let mut tx = cx.db.begin().await?;
    let found = store::identity::find_of_player(&mut tx, caller.id).await?;
    let identity = found.ok_or(Refused::NoPasswordLogin)?;
    let profile = store::player::find(&mut tx, caller.id).await?;
    let own = OwnWords::of_player(&identity.email, profile.as_ref());
    refuse_guessable(&command.new, own).await?;
    count_attempt(&mut tx, cx, &identity.email, device).await?;
    tx.commit().await?;

    let check = old_permit.verify(command.old, Some(&identity.password_hash), &cx.rng).await?;
    // Compared after the hash was computed, so that a wrong email takes the same time.
    if !check.is_right() || command.email != identity.email {
        return Err(Refused::ReauthFailed.into());
    }
    let hash = new_permit.hash(command.new, &cx.rng).await?;

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // The lock order is that of a sign-in. A sign-in with the old password either commits before
    // this transaction, which then ends its session, or fails. Failed guesses at the old password
    // no longer count against any device.
    for standing in [Standing::Known, Standing::Unknown] {
        let account = cx.refresher.account_key(&identity.email, standing);
        store::sign_in_rate_limit::clear(&mut tx, &account).await?;
    }
    store::player::lock(&mut tx, caller.id).await?;
    let old = &identity.password_hash;
    if !store::identity::change_password(&mut tx, caller, old, &hash, now).await? {
        // The password was changed while the old one was checked.
        return Err(Refused::ReauthFailed.into());
    }
    store::link::end_resets(&mut tx, caller.id, now).await?;
    let (kept, because) = (Some(caller.session), Ending::PasswordChanged);
    store::session::end_all(&mut tx, caller.id, kept, because, now).await?;
    store::device::forget_all(&mut tx, caller.id, device).await?;
    store::payout_phone::forget_resting(&mut tx, caller.id, now).await?;
    mails::enqueue_password_changed(&mut tx, cx, caller.id, &identity.email).await?;
    tx.commit().await?;
    cx.outbox.notify(PASSWORD_CHANGED_TOPIC);
    Ok(())
}

/// A retry, by the same session, of a change whose reply was lost: it succeeds if `new` is
/// the password. Other sessions are refused, so that they cannot test passwords here.
async fn replay(
    cx: &Cx,
    caller: Player,
    email: &Email,
    new: Password,
    device: Option<DeviceId>,
) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let login = store::identity::find_of_player(&mut conn, caller.id).await?;
    drop(conn);
    let since = cx.clock.now() - RETRY_WINDOW;
    let made = |(by, at)| by == caller.session && at > since;
    if login.is_some_and(|login| login.email == *email && login.changed.is_some_and(made)) {
        let permit = cx.hasher.acquire()?;
        let owner = find_player_by_password(cx, permit, email, new, device).await?;
        if owner == Some(caller.id) {
            return Ok(());
        }
    }
    Err(Refused::ReauthFailed.into())
}
