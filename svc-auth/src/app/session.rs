//! Opening a session: the end of every way in.

use std::time::Duration;

use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{PlayerId, SessionId};

use super::Cx;
use crate::{
    crypto::{AccessToken, RefreshToken},
    error::{Error, Refused},
    store::{self, player::Standing},
};

/// Sessions that a player has at most; more than anybody has devices. Without a limit,
/// whoever knows a password could open so many that ending them all takes too long.
const MAX_SESSIONS: i64 = 50;

/// From the making of an account until its first session: as long as the code waits that
/// a provider's newcomers are given.
pub(super) const NEWCOMER: Duration = Duration::from_mins(1);

/// A signed-in player's credentials.
pub(crate) struct SignedIn {
    pub(crate) player: PlayerId,
    pub(crate) access: AccessToken,
    pub(crate) refresh: RefreshToken,
    pub(crate) is_new: bool,
}

/// Opens a session for a player who has proved who they are. It holds from the
/// commit of this transaction on, and until then nobody else gives or takes this
/// player a way in. Who was leaving has come back. With too many sessions, the one used
/// longest ago ends. `first` is its first refresh token.
pub(super) async fn open(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    first: RefreshToken,
    now: OffsetDateTime,
) -> Result<SignedIn, Error> {
    match store::player::lock(conn, player).await? {
        Some(Standing::Staying) => {}
        Some(Standing::Leaving) => store::deletion::unmark(conn, player).await?,
        Some(Standing::Erased) | None => return Err(Refused::PlayerGone.into()),
    }
    store::session::displace(conn, player, MAX_SESSIONS - 1, now).await?;
    let session = SessionId::generate(&cx.clock, &cx.rng);
    let expires_at = now + cx.session_ttl;
    store::session::insert(conn, session, player, &first.hash(), now, expires_at).await?;
    let access = cx.access.issue(player, session, now)?;
    Ok(SignedIn { player, access, refresh: first, is_new: false })
}

/// The session that a proof opened a moment ago, for whoever has lost the reply.
pub(super) async fn again(
    conn: &mut PgConnection,
    cx: &Cx,
    first: RefreshToken,
    now: OffsetDateTime,
) -> Result<Option<SignedIn>, Error> {
    let Some(session) = store::session::lock_by_token(conn, &first.hash()).await? else {
        return Ok(None);
    };
    let line = session.lineage()?;
    if !line.is_just_begun(&first.hash(), now, cx.terms) {
        return Ok(None);
    }
    let player = store::player::profile(conn, session.player).await?;
    let player = player.ok_or(Refused::PlayerGone)?;
    Ok(Some(SignedIn {
        player: player.id,
        access: cx.access.issue(player.id, session.id, now)?,
        refresh: first,
        is_new: line.created_at < player.created_at + NEWCOMER,
    }))
}
