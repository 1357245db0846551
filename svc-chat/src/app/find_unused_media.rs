//! Finds files of rooms that the media store may delete.

use mesh::instrument;

use super::Cx;
use crate::{error::Error, store};

/// Those of the given files that no message has and no evidence.
#[instrument(name = "chat.find_unused_media", skip_all, fields(count = urls.len()))]
pub(crate) async fn find_unused_media(cx: &Cx, urls: Vec<String>) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::media::find_unused(&mut conn, &urls).await?)
}
