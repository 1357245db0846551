//! Opening a session: the end of every way in.

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
/// longest ago ends.
pub(super) async fn open(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    now: OffsetDateTime,
) -> Result<SignedIn, Error> {
    match store::player::lock(conn, player).await? {
        Some(Standing::Staying) => {}
        Some(Standing::Leaving) => store::deletion::unmark(conn, player).await?,
        Some(Standing::Erased) | None => return Err(Refused::PlayerGone.into()),
    }
    store::session::displace(conn, player, MAX_SESSIONS - 1, now).await?;
    let session = SessionId::mint(&cx.clock, &cx.chance);
    let refresh = RefreshToken::draw(&cx.chance);
    let expires_at = now + cx.session_ttl;
    store::session::insert(conn, session, player, &refresh.hash(), now, expires_at).await?;
    Ok(SignedIn { player, access: cx.access.issue(player, session, now)?, refresh, is_new: false })
}
