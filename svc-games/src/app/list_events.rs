//! Events.

use mesh::instrument;

use crate::{app::Cx, domain::Event, error::Error, store};

/// Most events in one reply.
const LIMIT: i64 = 20;

/// The events of the banner, newest first.
#[instrument(name = "games.list_events", skip_all)]
pub(crate) async fn list_events(cx: &Cx) -> Result<Vec<Event>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::event::list(&mut conn, LIMIT).await?)
}
