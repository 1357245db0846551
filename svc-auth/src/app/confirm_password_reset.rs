//! Sets a new password by a mailed link.

use mesh::instrument;
use time::OffsetDateTime;
use tracing::{Span, field};

use super::{
    Cx, PASSWORD_CHANGED_TOPIC, mails, refuse_guessable::refuse_guessable,
    session::remember_device, sign_in::find_player_by_password,
};
use crate::{
    crypto::LinkToken,
    domain::{Arrival, DeviceId, Link, LinkKind, OwnWords, Password, Standing, TokenHash},
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// A link's token and the new password. `token` is `None` for a text that is not a token.
pub(crate) struct ConfirmPasswordReset {
    pub(crate) token: Option<LinkToken>,
    pub(crate) password: Password,
}

/// Sets a password, ends every session, voids every other link and forgets every device. Returns a
/// new token for this device, which is known from now on: the old token may be a thief's too.
#[instrument(name = "auth.confirm_password_reset", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_password_reset(
    cx: &Cx,
    command: ConfirmPasswordReset,
    device: Option<DeviceId>,
) -> Result<String, Error> {
    let hash = command.token.ok_or(Refused::ResetExpired)?.hash();
    match reset(cx, &hash, command.password.clone()).await {
        Err(Error::Refused(Refused::ResetExpired)) => {
            replay(cx, &hash, command.password, device).await
        }
        outcome => outcome,
    }
}

async fn reset(cx: &Cx, hash: &TokenHash, password: Password) -> Result<String, Error> {
    // Checked before the hash, so that guessing tokens costs no hashes, and again after it,
    // because the link may have been used meanwhile.
    let mut conn = cx.db.acquire().await?;
    let found = store::link::find(&mut conn, hash, LinkKind::Reset).await?;
    let Link { player, email, .. } = valid_link(found, cx.clock.now())?;
    Span::current().record("player.id", field::display(player));
    let profile = store::player::find(&mut conn, player).await?;
    drop(conn);
    refuse_guessable(&password, OwnWords::of_player(&email, profile.as_ref())).await?;
    let password_hash = cx.hasher.acquire()?.hash(password, &cx.rng).await?;

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    store::identity::lock_email(&mut tx, &email).await?;
    // Locks in the order of a sign-in. The player's lock serialises two links, each of which
    // voids the other; a sign-in by the old password commits before this or fails.
    for standing in [Standing::Known, Standing::Unknown] {
        let account = cx.refresher.account_key(&email, standing);
        store::sign_in_rate_limit::clear(&mut tx, &account).await?;
    }
    store::player::lock(&mut tx, player).await?;
    let link = valid_link(store::link::find(&mut tx, hash, LinkKind::Reset).await?, now)?;
    // The address may be another player's by now, or no player's, because the provider no
    // longer verifies it.
    let owner = store::identity::find_owner(&mut tx, &link.email).await?;
    if owner != Some(player)
        || !store::identity::set_password(&mut tx, &link, &password_hash, now).await?
    {
        return Err(Refused::ResetExpired.into());
    }
    // End every session and every other link, code and account that could open one.
    store::social::delete_unproven(&mut tx, player, &link.email).await?;
    store::link::end_all(&mut tx, player, now).await?;
    store::oauth::delete_exchanges(&mut tx, player).await?;
    store::session::end_all(&mut tx, player, None, Ending::PasswordReset, now).await?;
    store::device::forget_all(&mut tx, player, None).await?;
    store::payout_phone::forget_all(&mut tx, player, now).await?;
    let remembered = remember_device(&mut tx, cx, player, (None, Arrival::Mail), now).await?;
    mails::enqueue_password_changed(&mut tx, cx, player, &link.email).await?;
    tx.commit().await?;
    cx.outbox.notify(PASSWORD_CHANGED_TOPIC);
    Ok(remembered.token)
}

/// Repeats the reply to a retry of the same link with the same password, whose reply was lost. With
/// another password the link is refused as used.
async fn replay(
    cx: &Cx,
    hash: &TokenHash,
    password: Password,
    device: Option<DeviceId>,
) -> Result<String, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::link::find(&mut conn, hash, LinkKind::Reset).await?;
    drop(conn);
    let retried = found.filter(|link| link.may_be_retried(cx.clock.now()));
    let link = retried.ok_or(Refused::ResetExpired)?;
    let permit = cx.hasher.acquire()?;
    let owner = find_player_by_password(cx, permit, &link.email, password, device).await?;
    if owner != Some(link.player) {
        return Err(Refused::ResetExpired.into());
    }
    let mut tx = cx.db.begin().await?;
    store::player::lock(&mut tx, link.player).await?;
    let (arrived, now) = ((None, Arrival::Mail), cx.clock.now());
    let remembered = remember_device(&mut tx, cx, link.player, arrived, now).await?;
    tx.commit().await?;
    Ok(remembered.token)
}

fn valid_link(found: Option<Link>, now: OffsetDateTime) -> Result<Link, Refused> {
    found.filter(|link| link.is_valid(now)).ok_or(Refused::ResetExpired)
}
