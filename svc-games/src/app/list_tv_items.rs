//! Lists the videos of PlayOn TV.

use mesh::instrument;

use crate::{app::Cx, domain::TvItem, error::Error, store};

/// Most videos in one reply.
const LIMIT: i64 = 100;

/// The videos of PlayOn TV, the primary one first.
#[instrument(name = "games.list_tv_items", skip_all)]
pub(crate) async fn list_tv_items(cx: &Cx) -> Result<Vec<TvItem>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::tv_item::list(&mut conn, LIMIT).await?)
}
