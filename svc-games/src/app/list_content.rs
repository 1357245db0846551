//! Lists the manifests that operators applied.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{EventManifest, GameManifest, TvItemManifest},
    error::Error,
    store,
};

/// The manifests of all kinds, by key.
pub(crate) struct Content {
    pub(crate) games: Vec<GameManifest>,
    pub(crate) events: Vec<EventManifest>,
    pub(crate) tv_items: Vec<TvItemManifest>,
}

/// Returns all applied manifests.
#[instrument(name = "games.list_content", skip_all)]
pub(crate) async fn list_content(cx: &Cx) -> Result<Content, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(Content {
        games: store::content::games(&mut conn, None).await?,
        events: store::content::events(&mut conn, None).await?,
        tv_items: store::content::tv_items(&mut conn, None).await?,
    })
}
