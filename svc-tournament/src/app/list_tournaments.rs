//! All tournaments that are still worth a look.

use time::Duration;
use tracing::instrument;

use crate::{app::Cx, domain::Tournament, error::Error, store};

/// Most tournaments in one reply.
const LIMIT: i64 = 500;
/// How long one that is over stays in the list.
const REMEMBERED: Duration = Duration::days(30);

/// Lists them, latest start first.
#[instrument(name = "tournament.list_tournaments", skip_all)]
pub async fn list_tournaments(cx: &Cx) -> Result<Vec<Tournament>, Error> {
    let mut conn = cx.pool.acquire().await?;
    let since = cx.clock.now() - REMEMBERED;
    Ok(store::tournament::list(&mut conn, since, LIMIT).await?)
}
