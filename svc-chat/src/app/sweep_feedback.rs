//! Removes feedback that is past its retention.

use mesh::{instrument, jobs::Round};

use super::Cx;
use crate::{error::Error, store};

/// Rows that one round removes at most.
const BATCH: u32 = 500;

/// Removes a batch of old feedback.
#[instrument(name = "chat.sweep_feedback", skip_all)]
pub(crate) async fn sweep_feedback(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let before = cx.clock.now() - cx.support.feedback_retention;
    let removed = store::feedback::delete_old(&mut conn, before, BATCH).await?;
    Ok(Round::of_batch(removed, BATCH.into()))
}
