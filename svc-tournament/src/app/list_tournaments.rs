//! The tournaments that are to come, are on, or ended recently.

use mesh::instrument;
use time::Duration;

use crate::{app::Cx, domain::Tournament, error::Error, store};

/// Most tournaments of each stage in one reply, so that none hides the others.
const LIMIT: i64 = 160;
/// How long a tournament stays in the list after its end.
const LISTED_AFTER_END: Duration = Duration::days(30);

/// Tournaments, latest start first.
#[instrument(name = "tournament.list_tournaments", skip_all)]
pub(crate) async fn list_tournaments(cx: &Cx) -> Result<Vec<Tournament>, Error> {
    let mut conn = cx.db.acquire().await?;
    let now = cx.clock.now();
    Ok(store::tournament::list(&mut conn, now, now - LISTED_AFTER_END, LIMIT).await?)
}
