//! Compares the rooms' counts with their memberships.

use mesh::{instrument, jobs::Round};
use metrics::gauge;
use tracing::error;

use super::Cx;
use crate::{error::Error, store};

/// Raises an alarm for each room whose count differs from its memberships: an error in the
/// log, and the gauge `chat_wrong_member_counts`. One statement reads both, in one snapshot.
#[instrument(name = "chat.check_counts", skip_all)]
pub(crate) async fn check_counts(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let wrong = store::room::wrong_counts(&mut conn).await?;
    for room in &wrong {
        error!(
            room.id = %room.id,
            counted = room.counted,
            members = room.members,
            "a room's count differs from its memberships"
        );
    }
    let count = u32::try_from(wrong.len()).unwrap_or(u32::MAX);
    gauge!("chat_wrong_member_counts").set(count);
    Ok(Round::Done)
}
