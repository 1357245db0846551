//! Decoding requests about packages.

use mesh::{Fault, idempotency::RequestId};
use proto::{
    from_timestamp,
    wallet::v1::{ListHeldPackagesRequest, PlayerAt, SubscribeRequest},
};
use time::{Duration, OffsetDateTime};
use types::{PlayerId, Text};

use crate::{
    app::Subscribe,
    domain::{MethodId, PackageId},
};

/// The contract's limit of players in one query.
const PLAYERS_MAX: usize = 100;
/// Longest time ago that a query may ask about, by the contract.
const AGE_MAX: Duration = Duration::days(400);

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
    request: &ListHeldPackagesRequest,
    now: OffsetDateTime,
) -> Result<Vec<(PlayerId, OffsetDateTime)>, Fault> {
    let players = &request.players;
    if players.is_empty() || players.len() > PLAYERS_MAX {
        let text = Text::new("PLAYERS_OUT_OF_RANGE").with("max", PLAYERS_MAX);
        return Err(Fault::invalid_field("players", text));
    }
    players.iter().map(|player| player_at(player, now)).collect()
}

fn player_at(player: &PlayerAt, now: OffsetDateTime) -> Result<(PlayerId, OffsetDateTime), Fault> {
    let id = PlayerId::parse(&player.player_id)
        .map_err(|_| Fault::invalid_field("players", "PLAYER_ID_MALFORMED"))?;
    let at = from_timestamp(player.at, "players")
        .map_err(|_| Fault::invalid_field("players", "TIME_MISSING"))?;
    if at < now - AGE_MAX {
        let text = Text::new("TIME_TOO_LONG_AGO").with("days", AGE_MAX.whole_days());
        return Err(Fault::invalid_field("players", text));
    }
    Ok((id, at))
}
