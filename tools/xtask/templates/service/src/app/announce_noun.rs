//! Announces {{a_noun_words}} that was created.

use mesh::instrument;
use tracing::info;

use crate::{app::Cx, domain::{{Noun}}Id, error::Error, store};

/// Records the announcement. The outbox delivers at least once, so a repeat changes
/// nothing.
#[instrument(name = "{{name}}.announce_{{noun}}", skip_all, fields({{noun}}.id = %id))]
pub(crate) async fn announce_{{noun}}(cx: &Cx, id: {{Noun}}Id) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    if !store::{{noun}}::mark_announced(&mut conn, id, cx.clock.now()).await? {
        info!("announced before, or removed");
    }
    Ok(())
}
