//! A new password, by a link that was mailed.

use time::OffsetDateTime;
use tracing::{Span, field, instrument};

use super::{Cx, mails, sign_in::whose};
use crate::{
    crypto::LinkToken,
    domain::{Link, LinkKind, Password, SPARED_FOR, TokenHash},
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// A token and the password that it is to set. `None` is what was never a token.
pub(crate) struct ConfirmPasswordReset {
    pub(crate) token: Option<LinkToken>,
    pub(crate) password: Password,
}

/// Sets a password, and begins anew: every session ends, every other link is void.
#[instrument(name = "auth.confirm_password_reset", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_password_reset(
    cx: &Cx,
    command: ConfirmPasswordReset,
) -> Result<(), Error> {
    let hash = command.token.ok_or(Refused::ResetExpired)?.hash();
    match reset(cx, &hash, command.password.clone()).await {
        Err(Error::Refused(Refused::ResetExpired)) => repeat(cx, &hash, command.password).await,
        outcome => outcome,
    }
}

async fn reset(cx: &Cx, hash: &TokenHash, password: Password) -> Result<(), Error> {
    // Looked at before the work, so that who guesses tokens buys no hashes, and again
    // after it, because it may have been used meanwhile.
    let mut conn = cx.db.acquire().await?;
    let found = store::link::find(&mut conn, hash, LinkKind::Reset).await?;
    drop(conn);
    let Link { player, email, .. } = judge(found, cx.clock.now())?;
    Span::current().record("player.id", field::display(player));
    let password_hash = cx.hasher.place()?.hash(password, &cx.rng).await?;

    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    store::identity::lock_email(&mut tx, &email).await?;
    // In the order of a sign-in. The player's lock puts two links in a row, each of which
    // voids the other, and makes a sign-in by the old password come before or fail.
    let account = cx.refresher.account_key(&email);
    store::guard::spare(&mut tx, &account, now + SPARED_FOR).await?;
    store::player::lock(&mut tx, player).await?;
    let link = judge(store::link::find(&mut tx, hash, LinkKind::Reset).await?, now)?;
    // The address may be somebody else's by now; or nobody's, because the provider that
    // had vouched for it stopped.
    let owner = store::identity::owner_of(&mut tx, &link.email).await?;
    if owner != Some(player)
        || !store::identity::set_password(&mut tx, &link, &password_hash, now).await?
    {
        return Err(Refused::ResetExpired.into());
    }
    // Whoever had a way in before has it no more.
    store::link::end_all(&mut tx, player, now).await?;
    store::oauth::end_exchanges(&mut tx, player).await?;
    store::session::end_all(&mut tx, player, None, Ending::PasswordReset, now).await?;
    mails::owe_password_changed(&mut tx, cx, player, &link.email).await?;
    tx.commit().await?;
    cx.outbox.notify();
    Ok(())
}

/// The same link and the same password once more: the reply was lost, and is given again.
/// To who has another password, the link is over.
async fn repeat(cx: &Cx, hash: &TokenHash, password: Password) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::link::find(&mut conn, hash, LinkKind::Reset).await?;
    drop(conn);
    let used = found.filter(|link| link.has_just_ended(cx.clock.now()));
    let link = used.ok_or(Refused::ResetExpired)?;
    let owner = whose(cx, cx.hasher.place()?, &link.email, password).await?;
    if owner == Some(link.player) { Ok(()) } else { Err(Refused::ResetExpired.into()) }
}

fn judge(found: Option<Link>, now: OffsetDateTime) -> Result<Link, Refused> {
    found.filter(|link| link.is_good(now)).ok_or(Refused::ResetExpired)
}
