//! Lists erased accounts, for services that store data of their players.

use std::time::Duration;

use mesh::instrument;

use super::Cx;
use crate::{domain::Erased, error::Error, store};

/// Players in one reply.
const LIMIT: i64 = 100;
/// Age from which the list is final. Before, an erasure with an earlier time may still be
/// committed: no transaction takes that long, and no clock is that wrong.
const SETTLED_AFTER: Duration = Duration::from_hours(1);

/// The next erased players after one of them, in the order of their erasure.
#[instrument(name = "auth.list_erased_players", skip_all)]
pub(crate) async fn list_erased_players(cx: &Cx, after: Erased) -> Result<Vec<Erased>, Error> {
    let until = cx.clock.now() - SETTLED_AFTER;
    let mut conn = cx.db.acquire().await?;
    Ok(store::deletion::list_erased(&mut conn, &after, until, LIMIT).await?)
}
