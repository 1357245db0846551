//! Removes rows that are past their retention.

use mesh::{idempotency, instrument, jobs::Round};
use time::Duration;

use crate::{app::Cx, error::Error, store};

/// How long {{a_noun_words}} stays after it expired.
const RETENTION: Duration = Duration::days(30);
/// {{Nouns_words}} that one round removes at most.
const BATCH: u32 = 500;

/// Removes a batch of old requests and a batch of {{nouns_words}} that expired long ago.
#[instrument(name = "{{name}}.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let requests = idempotency::sweep(&mut conn, now).await?;
    let removed = store::{{noun}}::delete_expired(&mut conn, now - RETENTION, BATCH).await?;
    match requests {
        Round::More => Ok(Round::More),
        Round::Done => Ok(Round::of_batch(removed, BATCH.into())),
    }
}
