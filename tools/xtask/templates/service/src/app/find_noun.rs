//! {{A_noun_words}} by its code.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{Code, {{Noun}}},
    error::{Error, Refused},
    store,
};

/// The {{noun_words}} with this code, for anyone who has the code.
#[instrument(name = "{{name}}.find_{{noun}}", skip_all)]
pub(crate) async fn find_{{noun}}(cx: &Cx, code: &Code) -> Result<{{Noun}}, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::{{noun}}::find_by_code(&mut conn, code).await?;
    Ok(found.ok_or(Refused::{{Noun}}NotFound)?)
}
