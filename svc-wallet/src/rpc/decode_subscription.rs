//! Decoding requests about packages.

use mesh::{Fault, idempotency::RequestId};
use proto::{
    from_timestamp,
    wallet::v1::{ListHeldPackagesRequest, PlayerAt, SubscribeRequest},
};
use time::OffsetDateTime;
use types::{PlayerId, Text};

use crate::{
    app::Subscribe,
    domain::{MethodId, PackageId},
};

/// The contract's limit of players in one query.
const PLAYERS_MAX: usize = 100;

pub(super) fn subscribe(request: SubscribeRequest) -> Result<Subscribe, Fault> {
    Ok(Subscribe {
        request: RequestId::parse(&request.request_id)?,
        method: MethodId::parse(&request.payment_method_id)
            .map_err(|_| Fault::invalid_field("payment_method_id", "UNKNOWN_METHOD"))?,
        package: PackageId::parse(&request.subscription_package_id)
            .map_err(|_| Fault::invalid_field("subscription_package_id", "PACKAGE_MALFORMED"))?,
        phone: request.mpesa_phone_number,
    })
}

/// Decodes the players of a query, each with a time. A future time is answered by the subscriptions
/// known now.
pub(super) fn held_packages(
    request: ListHeldPackagesRequest,
) -> Result<Vec<(PlayerId, OffsetDateTime)>, Fault> {
    let ListHeldPackagesRequest { player_ids, at, mut players } = request;
    players.extend(player_ids.into_iter().map(|player_id| PlayerAt { player_id, at }));
    if players.is_empty() || players.len() > PLAYERS_MAX {
        let text = Text::new("PLAYERS_OUT_OF_RANGE").with("max", PLAYERS_MAX);
        return Err(Fault::invalid_field("players", text));
    }
    players.iter().map(player_at).collect()
}

fn player_at(player: &PlayerAt) -> Result<(PlayerId, OffsetDateTime), Fault> {
    let id = PlayerId::parse(&player.player_id)
        .map_err(|_| Fault::invalid_field("players", "PLAYER_ID_MALFORMED"))?;
    let at = from_timestamp(player.at, "players")
        .map_err(|_| Fault::invalid_field("players", "TIME_MISSING"))?;
    Ok((id, at))
}
