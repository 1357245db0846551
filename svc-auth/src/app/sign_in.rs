//! In by email and password.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field, instrument};
use types::PlayerId;

use super::{Cx, SignedIn, session};
use crate::{
    crypto::{Place, RefreshToken, Verdict},
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
    let measured = measure(cx, place, &account, &command.email, command.password).await?;
    let (identity, verdict) = measured.ok_or(Refused::BadCredentials)?;
    Span::current().record("player.id", field::display(identity.player));

    let first = RefreshToken::draw(&cx.rng);
    let mut tx = cx.db.begin().await?;
    store::guard::clear(&mut tx, &account).await?;
    let signed_in = session::open(&mut tx, cx, identity.player, first, cx.clock.now()).await?;
    // Under the player's lock: a password that was taken away or changed while it was
    // measured opens nothing. Whoever has the new one tries again.
    let (player, old) = (identity.player, &identity.password_hash);
    let stands = match verdict {
        Verdict::Outdated { renewed } => {
            store::identity::replace_password(&mut tx, player, old, &renewed).await?
        }
        _ => store::identity::stands(&mut tx, &identity).await?,
    };
    if !stands {
        return Err(Refused::Busy.into());
    }
    tx.commit().await?;
    Ok(signed_in)
}

/// Whose password it is, if it is somebody's at this address: for whoever set it a moment
/// ago and has lost the reply. It counts as a try to sign in.
pub(super) async fn whose(
    cx: &Cx,
    place: Place,
    email: &Email,
    password: Password,
) -> Result<Option<PlayerId>, Error> {
    let account = cx.refresher.account_key(email);
    let Some((identity, _)) = measure(cx, place, &account, email, password).await? else {
        return Ok(None);
    };
    let mut conn = cx.db.acquire().await?;
    store::guard::clear(&mut conn, &account).await?;
    Ok(Some(identity.player))
}

/// Counts a try, and measures a password; `None` when it is wrong, or nobody's.
async fn measure(
    cx: &Cx,
    place: Place,
    account: &[u8; 32],
    email: &Email,
    password: Password,
) -> Result<Option<(EmailIdentity, Verdict)>, Error> {
    let identity = try_account(cx, account, email, cx.clock.now()).await?;
    let stored = identity.as_ref().map(|it| it.password_hash.as_str());
    let verdict = place.verify(password, stored, &cx.rng).await?;
    Ok(identity.filter(|_| verdict.is_right()).map(|identity| (identity, verdict)))
}

/// Counts the try before the work is done, and finds whose account it is.
async fn try_account(
    cx: &Cx,
    account: &[u8; 32],
    email: &Email,
    now: OffsetDateTime,
) -> Result<Option<EmailIdentity>, Error> {
    let mut tx = cx.db.begin().await?;
    count_try(&mut tx, cx, account, now).await?;
    let identity = store::identity::find(&mut tx, email).await?;
    tx.commit().await?;
    Ok(identity)
}

/// Counts a try at an account, or says how long there may be none. It counts once the
/// transaction is committed.
pub(super) async fn count_try(
    conn: &mut PgConnection,
    cx: &Cx,
    account: &[u8; 32],
    now: OffsetDateTime,
) -> Result<(), Error> {
    let kept = store::guard::lock(conn, account, now + cx.guard.window).await?;
    let spared = kept.lenient_until.is_some_and(|until| now < until);
    let guard = if spared { cx.guard.sparing() } else { cx.guard };
    match guard.judge(&kept.failures, now) {
        GuardVerdict::Try(counted) => Ok(store::guard::count(conn, account, &counted).await?),
        GuardVerdict::Wait(wait) => Err(Refused::TooManyFailures(wait).into()),
    }
}
