//! Starts a player's copy of what all services store about the player.

use mesh::{auth::Player, instrument, outbox};
use strum::IntoEnumIterator as _;

use super::{
    Cx,
    collect_data_copy::{COLLECT_TOPIC, Collect},
};
use crate::{
    domain::{DataCopy, Source},
    error::{Error, Refused},
    store::{self, player::AccountState},
};

/// Returns the caller's copy, and starts one if there is none. Only a device that money may leave by
/// gets one, so that a stolen session or a swapped SIM gets no copy of everything.
#[instrument(name = "auth.request_data_copy", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn request_data_copy(cx: &Cx, caller: Player) -> Result<DataCopy, Error> {
    let now = cx.clock.now();
    caller.check_device(now)?;
    let mut tx = cx.db.begin().await?;
    // Two calls at the same time start one copy.
    let Some(AccountState::Active) = store::player::lock(&mut tx, caller.id).await? else {
        return Err(Refused::PlayerGone.into());
    };
    if let Some(copy) = store::data_copy::find(&mut tx, caller.id, now).await? {
        return Ok(copy);
    }
    let copy = DataCopy::requested(now);
    let sources: Vec<Source> = Source::iter().collect();
    store::data_copy::begin(&mut tx, caller.id, copy, &sources).await?;
    for source in sources {
        let collect = Collect { player: caller.id, service: source.name().to_owned() };
        outbox::put(&mut tx, &cx.clock, &cx.rng, COLLECT_TOPIC, &collect).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(COLLECT_TOPIC);
    Ok(copy)
}
