//! Expires {{nouns_words}} by the clock.

use mesh::{instrument, jobs::Round};

use crate::{app::Cx, error::Error, store};

/// {{Nouns_words}} that one round expires at most.
const BATCH: u32 = 500;

/// Expires a batch of the {{nouns_words}} whose time has come. Replicas that run at once take
/// different rows.
#[instrument(name = "{{name}}.expire_{{nouns}}", skip_all)]
pub(crate) async fn expire_{{nouns}}(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let expired = store::{{noun}}::expire(&mut conn, cx.clock.now(), BATCH).await?;
    Ok(Round::of_batch(expired, BATCH.into()))
}
