//! {{Nouns_words}} of any player, for other services.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{{{Noun}}, {{Noun}}Id},
    error::Error,
    store,
};

/// The {{nouns_words}} with these ids; unknown ids are left out.
#[instrument(name = "{{name}}.batch_get_{{nouns}}", skip_all, fields(ids = ids.len()))]
pub(crate) async fn batch_get_{{nouns}}(cx: &Cx, ids: &[{{Noun}}Id]) -> Result<Vec<{{Noun}}>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::{{noun}}::find_all(&mut conn, ids).await?)
}
