//! In by email and password.

use time::OffsetDateTime;
use tracing::{Span, field, instrument};

use super::{Cx, SignedIn, session};
use crate::{
    domain::{Email, GuardVerdict, Password},
    error::{Error, Refused},
    store::{self, identity::EmailIdentity},
};

/// A sign-in whose form is right.
pub(crate) struct SignIn {
    pub(crate) email: Email,
    pub(crate) password: Password,
}

/// Opens a session for whoever knows the password. An unknown email takes the
/// same way at the same cost, and counts the same.
#[instrument(name = "auth.sign_in", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn sign_in(cx: &Cx, command: SignIn) -> Result<SignedIn, Error> {
    // Before the try is counted: nobody's account is closed by our being busy.
    let place = cx.hasher.place()?;
    let account = cx.refresher.account_key(&command.email);
    let identity = try_account(cx, &account, &command.email, cx.clock.now()).await?;
    let stored = identity.as_ref().map(|it| it.password_hash.as_str());
    let right = place.verify(command.password, stored).await?;
    let Some(identity) = identity.filter(|_| right) else {
        return Err(Refused::BadCredentials.into());
    };
    Span::current().record("player.id", field::display(identity.player));

    let mut tx = cx.db.begin().await?;
    store::guard::clear(&mut tx, &account).await?;
    let signed_in = session::open(&mut tx, cx, identity.player, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(signed_in)
}

/// Counts the try before the work is done, and finds whose account it is.
async fn try_account(
    cx: &Cx,
    account: &[u8; 32],
    email: &Email,
    now: OffsetDateTime,
) -> Result<Option<EmailIdentity>, Error> {
    let mut tx = cx.db.begin().await?;
    let failures = store::guard::lock(&mut tx, account, now + cx.guard.window).await?;
    let counted = match cx.guard.judge(&failures, now) {
        GuardVerdict::Try(counted) => counted,
        GuardVerdict::Wait(wait) => return Err(Refused::TooManyFailures(wait).into()),
    };
    store::guard::count(&mut tx, account, &counted).await?;
    let identity = store::identity::find(&mut tx, email).await?;
    tx.commit().await?;
    Ok(identity)
}
