//! All {{nouns_words}}.

use tracing::instrument;

use crate::{app::Cx, domain::{{Noun}}, error::Error, store};

/// Most {{nouns_words}} in one reply.
const LIMIT: i64 = 500;

/// Lists them, by name.
#[instrument(name = "{{name}}.list_{{nouns}}", skip_all)]
pub async fn list_{{nouns}}(cx: &Cx) -> Result<Vec<{{Noun}}>, Error> {
    let mut conn = cx.pool.acquire().await?;
    Ok(store::{{noun}}::list(&mut conn, LIMIT).await?)
}
