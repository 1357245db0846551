//! Finds pictures that the media store may delete.

use mesh::instrument;

use super::Cx;
use crate::{error::Error, store};

/// Returns the given pictures that no profile names.
#[instrument(name = "auth.find_unused_pictures", skip_all, fields(count = urls.len()))]
pub(crate) async fn find_unused_pictures(cx: &Cx, urls: Vec<String>) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::picture::find_unused(&mut conn, &urls).await?)
}
