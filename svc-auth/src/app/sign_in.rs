//! Signs a player in by email and password.

use mesh::instrument;
use sqlx::PgConnection;
use tracing::{Span, field};
use types::PlayerId;

use super::{Cx, SignedIn, session};
use crate::{
    crypto::{HashPermit, PasswordCheck, RefreshToken},
    domain::{Arrival, DeviceId, Email, Password, Standing, TooManyFailures},
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
pub(crate) async fn sign_in(
    cx: &Cx,
    command: SignIn,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    // Acquire the hash permit first, so that overload never counts as a failed sign-in.
    let permit = cx.hasher.acquire()?;
    let checked = check_password(cx, permit, &command.email, command.password, device).await?;
    let Checked { identity, check, counted } = checked.ok_or(Refused::BadCredentials)?;
    Span::current().record("player.id", field::display(identity.player));

    let first = RefreshToken::generate(&cx.rng);
    let mut tx = cx.db.begin().await?;
    store::sign_in_rate_limit::clear(&mut tx, &counted).await?;
    let now = cx.clock.now();
    let arrived = (device, Arrival::SignIn);
    let signed_in = session::open(&mut tx, cx, identity.player, first, arrived, now).await?;
    // Done under the player's lock: a password that was changed or removed while it was checked
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

/// Returns the player of an address if the password is theirs. Retries of a request that has set a
/// password use it. The call counts as an attempt to sign in.
pub(super) async fn find_player_by_password(
    cx: &Cx,
    permit: HashPermit,
    email: &Email,
    password: Password,
    device: Option<DeviceId>,
) -> Result<Option<PlayerId>, Error> {
    let Some(checked) = check_password(cx, permit, email, password, device).await? else {
        return Ok(None);
    };
    let mut conn = cx.db.acquire().await?;
    store::sign_in_rate_limit::clear(&mut conn, &checked.counted).await?;
    Ok(Some(checked.identity.player))
}

/// A right password.
struct Checked {
    identity: EmailIdentity,
    check: PasswordCheck,
    /// The key under which the attempt was counted.
    counted: [u8; 32],
}

/// Counts an attempt and checks the password; `None` when it is wrong or there is no
/// account.
async fn check_password(
    cx: &Cx,
    permit: HashPermit,
    email: &Email,
    password: Password,
    device: Option<DeviceId>,
) -> Result<Option<Checked>, Error> {
    let mut tx = cx.db.begin().await?;
    let counted = count_attempt(&mut tx, cx, email, device).await?;
    let identity = store::identity::find(&mut tx, email).await?;
    tx.commit().await?;

    let stored = identity.as_ref().map(|identity| identity.password_hash.as_str());
    let check = permit.verify(password, stored, &cx.rng).await?;
    let identity = identity.filter(|_| check.is_right());
    Ok(identity.map(|identity| Checked { identity, check, counted }))
}

/// Counts an attempt to sign in, or refuses it; returns the key under which it is counted. It
/// counts once the transaction is committed.
pub(super) async fn count_attempt(
    conn: &mut PgConnection,
    cx: &Cx,
    email: &Email,
    device: Option<DeviceId>,
) -> Result<[u8; 32], Error> {
    let now = cx.clock.now();
    let standing = match device {
        Some(device) => store::device::standing_with_email(conn, email, device).await?,
        None => Standing::Unknown,
    };
    let account = cx.refresher.account_key(email, standing);
    let failures = store::sign_in_rate_limit::lock(conn, &account, now).await?;
    let failures =
        cx.sign_in_rate_limit.record(&failures, standing, now).map_err(
            |too_many| match too_many {
                TooManyFailures::Wait(wait) => Refused::TooManySignInFailures(wait),
                TooManyFailures::Locked => Refused::PasswordLocked,
            },
        )?;
    let expires_at = now + cx.sign_in_rate_limit.kept(standing);
    store::sign_in_rate_limit::update(conn, &account, &failures, expires_at).await?;
    Ok(account)
}
