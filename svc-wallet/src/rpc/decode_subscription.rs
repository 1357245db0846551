//! Requests about packages, parsed.

use mesh::{Fault, idempotency::RequestId};
use proto::{
    from_timestamp,
    wallet::v1::{ListHeldPackagesRequest, SubscribeRequest},
};
use time::{Duration, OffsetDateTime};
use types::PlayerId;

use crate::{
    app::Subscribe,
    domain::{MethodId, PackageId},
};

/// The contract's limit of players in one query.
const PLAYERS_MAX: usize = 100;
/// The contract's limit of how long ago the time of a query is.
const AGE_MAX: Duration = Duration::days(400);

pub(super) fn subscribe(request: SubscribeRequest) -> Result<Subscribe, Fault> {
    Ok(Subscribe {
        request: RequestId::parse(&request.request_id)?,
        method: MethodId::parse(&request.payment_method_id).map_err(|_| {
            Fault::invalid_field("paymentMethodId", "Please choose one of the payment methods.")
        })?,
        package: PackageId::parse(&request.subscription_package_id).map_err(|_| {
            Fault::invalid_field("subscriptionPackageId", "Please choose one of the packages.")
        })?,
        phone: request.mpesa_phone_number,
    })
}

/// The players and the time of a query. A time to come is that of now, as far as it is known.
pub(super) fn held_packages(
    request: &ListHeldPackagesRequest,
    now: OffsetDateTime,
) -> Result<(Vec<PlayerId>, OffsetDateTime), Fault> {
    let ids = &request.player_ids;
    if ids.is_empty() || ids.len() > PLAYERS_MAX {
        let text = format!("Name 1 to {PLAYERS_MAX} players at a time.");
        return Err(Fault::invalid_field("player_ids", text));
    }
    let players: Result<Vec<PlayerId>, _> = ids.iter().map(|id| PlayerId::parse(id)).collect();
    let players = players.map_err(|_| Fault::invalid_field("player_ids", "Not a player's id."))?;
    let at = from_timestamp(request.at, "at")
        .map_err(|_| Fault::invalid_field("at", "A time is missing."))?;
    if at < now - AGE_MAX {
        let text = format!("At most {} days ago.", AGE_MAX.whole_days());
        return Err(Fault::invalid_field("at", text));
    }
    Ok((players, at))
}
