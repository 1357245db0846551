//! Opens a session, for every way of signing in.

use std::time::Duration;

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{PlayerId, SessionId};

use super::{Cx, notify_new_device::enqueue_new_device};
use crate::{
    crypto::{AccessRules, AccessToken, RefreshToken},
    domain::{Arrival, DeviceId},
    error::{Error, Refused},
    store::{self, player::AccountState},
};

/// Sessions that a player may have; more than a player has devices. It bounds the statement
/// that ends all of them.
const MAX_SESSIONS: i64 = 50;

/// Longest time from an account's creation to its first session: the lifetime of an exchange
/// code.
pub(super) const NEW_ACCOUNT_WINDOW: Duration = Duration::from_mins(1);

/// A signed-in player's credentials.
pub(crate) struct SignedIn {
    pub(crate) player: PlayerId,
    pub(crate) access: AccessToken,
    /// The refresh token, as the client is sent it.
    pub(crate) refresh: String,
    pub(crate) is_new: bool,
    /// Whether the session outlives the browser.
    pub(crate) stays: bool,
    /// The token of the browser as a known device.
    pub(crate) device: Option<String>,
}

/// Opens a session for an authenticated player, with `first` as its first refresh token, and
/// remembers the device; the player is notified of one that is new. Locks the player until the
/// transaction ends, so that no concurrent call changes how the player signs in. Cancels a pending deletion. Above the limit it ends the session that was
/// used longest ago.
pub(super) async fn open(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    first: RefreshToken,
    (device, arrival): (Option<DeviceId>, Arrival),
    now: OffsetDateTime,
) -> Result<SignedIn, Error> {
    match store::player::lock(conn, player).await? {
        Some(AccountState::Active) => {}
        Some(AccountState::PendingDeletion) => store::deletion::cancel(conn, player).await?,
        Some(AccountState::Erased) | None => return Err(Refused::PlayerGone.into()),
    }
    store::session::displace(conn, player, MAX_SESSIONS - 1, now).await?;
    let session = SessionId::generate(&cx.clock, &cx.rng);
    let expires_at = now + cx.session_ttl;
    store::session::insert(conn, session, player, &first.hash(), now, expires_at).await?;
    enqueue_new_device(conn, cx, player, device, now).await?;
    let Remembered { token, money_from } =
        remember_device(conn, cx, player, (device, arrival), now).await?;
    let break_until = store::player::find_break(conn, player).await?;
    let access = cx.access.issue(player, session, AccessRules { money_from, break_until }, now)?;
    let is_new = arrival == Arrival::NewAccount;
    let refresh = cx.refresher.expose(&first);
    Ok(SignedIn { player, access, refresh, is_new, stays: false, device: Some(token) })
}

/// A device that a player is known on.
pub(super) struct Remembered {
    pub(super) token: String,
    /// Time from which money may leave the wallet by the device.
    pub(super) money_from: Option<OffsetDateTime>,
}

/// Remembers that a locked player has proven who they are on a device, which is a new one if the
/// browser has no token.
pub(super) async fn remember_device(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    (device, arrival): (Option<DeviceId>, Arrival),
    now: OffsetDateTime,
) -> Result<Remembered, Error> {
    let device = device.unwrap_or_else(|| DeviceId::generate(&cx.clock, &cx.rng));
    let account = store::device::find_confirmable(conn, player).await?;
    let money_from = account.money_from(arrival, now);
    let money_from = store::device::remember(conn, player, device, money_from, now).await?;
    Ok(Remembered { token: cx.devices.issue(device.uuid()), money_from })
}

/// The session that a proof opened within the grace period, for a client that lost the
/// reply.
pub(super) async fn replay(
    conn: &mut PgConnection,
    cx: &Cx,
    first: RefreshToken,
    device: Option<DeviceId>,
    now: OffsetDateTime,
) -> Result<Option<SignedIn>, Error> {
    let Some(session) = store::session::lock_by_token(conn, &first.hash()).await? else {
        return Ok(None);
    };
    let family = session.refresh_token_family()?;
    if !family.is_newly_opened(&first.hash(), now, cx.rotation_policy) {
        return Ok(None);
    }
    let player = store::player::find(conn, session.player).await?;
    let player = player.ok_or(Refused::PlayerGone)?;
    let is_new = family.created_at < player.created_at + NEW_ACCOUNT_WINDOW;
    let arrival = if is_new { Arrival::NewAccount } else { Arrival::SignIn };
    // The lost reply had the token of a new device.
    let Remembered { token, money_from } =
        remember_device(conn, cx, player.id, (device, arrival), now).await?;
    let rules = AccessRules { money_from, break_until: player.break_until };
    Ok(Some(SignedIn {
        player: player.id,
        access: cx.access.issue(player.id, session.id, rules, now)?,
        refresh: cx.refresher.expose(&first),
        is_new,
        stays: session.stay_signed_in,
        device: Some(token),
    }))
}
