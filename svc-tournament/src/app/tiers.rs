//! The tiers of players, by the packages that they held when their runs began.

use std::collections::HashMap;

use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{domain::Tier, error::Error};

/// The contract's limit of players in one query to svc-wallet.
const ASKED_AT_ONCE: usize = 100;

/// Returns the tier of each player at the start of a run. Call it outside of a transaction. A
/// package that is bought later, by a winner who is known, counts for nothing.
pub(super) async fn tiers_of(
    cx: &Cx,
    runs: &[(PlayerId, OffsetDateTime)],
) -> Result<HashMap<(PlayerId, OffsetDateTime), Tier>, Error> {
    let mut tiers = HashMap::new();
    for batch in runs.chunks(ASKED_AT_ONCE) {
        let held = cx.wallets.held_packages(batch).await?;
        tiers.extend(batch.iter().map(|run| (*run, Tier::of(held.get(&run.0).copied()))));
    }
    Ok(tiers)
}
