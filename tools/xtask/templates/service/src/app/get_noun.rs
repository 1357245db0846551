//! One {{noun_words}}.

use tracing::instrument;

use crate::{
    app::Cx,
    domain::{{{Noun}}, {{Noun}}Id},
    error::{Error, Refused},
    store,
};

/// Finds the {{noun_words}} of that id.
#[instrument(name = "{{name}}.get_{{noun}}", skip_all, fields({{noun}}.id = %id))]
pub async fn get_{{noun}}(cx: &Cx, id: {{Noun}}Id) -> Result<{{Noun}}, Error> {
    let mut conn = cx.pool.acquire().await?;
    let found = store::{{noun}}::find(&mut conn, id).await?;
    Ok(found.ok_or(Refused::{{Noun}}NotFound)?)
}
