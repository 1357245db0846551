//! The hall of fame.

use mesh::instrument;

use super::Cx;
use crate::{domain::FameEntry, error::Error, store};

/// Most entries in one reply.
const LIMIT: i64 = 100;

/// The entries, newest first.
#[instrument(name = "tournament.list_hall_of_fame", skip_all)]
pub(crate) async fn list_hall_of_fame(cx: &Cx) -> Result<Vec<FameEntry>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::fame::list(&mut conn, LIMIT).await?)
}
