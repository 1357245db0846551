//! Finds files of rooms that the media store may delete.

use mesh::instrument;

use super::Cx;
use crate::{error::Error, store};

/// Returns those of the given files that neither a message nor evidence uses.
#[instrument(name = "chat.find_unused_media", skip_all, fields(count = urls.len()))]
pub(crate) async fn find_unused_media(cx: &Cx, urls: Vec<String>) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::media::find_unused(&mut conn, &urls).await?)
}
