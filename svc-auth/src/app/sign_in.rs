//! Signs a player in by email and password.

use mesh::instrument;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{Span, field};
use types::PlayerId;

use super::{Cx, SignedIn, session};
use crate::{
    crypto::{HashPermit, PasswordCheck, RefreshToken},
    domain::{Email, Password},
    error::{Error, Refused},
    store::{self, identity::EmailIdentity},
};

/// A valid request to sign in.
pub(crate) struct SignIn {
    pub(crate) email: Email,
    pub(crate) password: Password,
}

/// Opens a session if the password is right. An unknown email costs the same work, gets the
/// same reply and is counted the same, so that nothing reveals which emails have accounts.
#[instrument(name = "auth.sign_in", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn sign_in(cx: &Cx, command: SignIn) -> Result<SignedIn, Error> {
    // Acquire the hash permit first, so that overload never counts as a failed sign-in.
    let permit = cx.hasher.acquire()?;
    let account = cx.refresher.account_key(&command.email);
    let checked = check_password(cx, permit, &account, &command.email, command.password).await?;
    let (identity, check) = checked.ok_or(Refused::BadCredentials)?;
    Span::current().record("player.id", field::display(identity.player));

    let first = RefreshToken::generate(&cx.rng);
    let mut tx = cx.db.begin().await?;
    store::sign_in_rate_limit::clear(&mut tx, &account).await?;
    let signed_in = session::open(&mut tx, cx, identity.player, first, cx.clock.now()).await?;
    // Under the player's lock: a password that was changed or removed while it was checked
    // opens no session.
    let (player, old) = (identity.player, &identity.password_hash);
    let unchanged = match check {
        PasswordCheck::Outdated { renewed } => {
            store::identity::replace_password(&mut tx, player, old, &renewed).await?
        }
        _ => store::identity::password_unchanged(&mut tx, &identity).await?,
    };
    if !unchanged {
        return Err(Error::Conflict);
    }
    tx.commit().await?;
    Ok(signed_in)
}

/// The player whose password at an address it is, if any. Retries of a request that has set
/// a password use it. It counts as an attempt to sign in.
pub(super) async fn find_player_by_password(
    cx: &Cx,
    permit: HashPermit,
    email: &Email,
    password: Password,
) -> Result<Option<PlayerId>, Error> {
    let account = cx.refresher.account_key(email);
    let Some((identity, _)) = check_password(cx, permit, &account, email, password).await? else {
        return Ok(None);
    };
    let mut conn = cx.db.acquire().await?;
    store::sign_in_rate_limit::clear(&mut conn, &account).await?;
    Ok(Some(identity.player))
}

/// Counts an attempt and checks the password; `None` when it is wrong or there is no
/// account.
async fn check_password(
    cx: &Cx,
    permit: HashPermit,
    account: &[u8; 32],
    email: &Email,
    password: Password,
) -> Result<Option<(EmailIdentity, PasswordCheck)>, Error> {
    let mut tx = cx.db.begin().await?;
    count_attempt(&mut tx, cx, account, cx.clock.now()).await?;
    let identity = store::identity::find(&mut tx, email).await?;
    tx.commit().await?;

    let stored = identity.as_ref().map(|identity| identity.password_hash.as_str());
    let check = permit.verify(password, stored, &cx.rng).await?;
    Ok(identity.filter(|_| check.is_right()).map(|identity| (identity, check)))
}

/// Counts an attempt to sign in, or refuses it. It counts once the transaction is committed.
pub(super) async fn count_attempt(
    conn: &mut PgConnection,
    cx: &Cx,
    account: &[u8; 32],
    now: OffsetDateTime,
) -> Result<(), Error> {
    let expires_at = now + cx.sign_in_rate_limit.period();
    let row = store::sign_in_rate_limit::lock(conn, account, expires_at).await?;
    let is_lenient = row.lenient_until.is_some_and(|until| now < until);
    let failures = cx
        .sign_in_rate_limit
        .record(&row.failures, is_lenient, now)
        .map_err(Refused::TooManySignInFailures)?;
    store::sign_in_rate_limit::update(conn, account, &failures).await?;
    Ok(())
}
