//! The browsers that a player's notifications are pushed to.

use mesh::{instrument, jobs::Round};
use types::PlayerId;

use super::Cx;
use crate::{
    clients::push::PushClient,
    domain::{NewSubscription, PushSubscriptionId},
    error::{Error, Refused},
    store,
};

/// Subscriptions of a player.
const PER_PLAYER: u32 = 10;
/// Rows that one round of the sweep removes at most.
const BATCH: u32 = 500;

/// The client for push services; refuses when this deployment has no key.
pub(crate) fn push_client(cx: &Cx) -> Result<&PushClient, Error> {
    Ok(cx.push.as_ref().ok_or(Refused::PushNotOffered)?)
}

/// Stores or refreshes a subscription.
#[instrument(name = "chat.register_push", skip_all, fields(player.id = %new.player))]
pub(crate) async fn register_push(cx: &Cx, new: &NewSubscription) -> Result<(), Error> {
    let id = PushSubscriptionId::generate(&cx.clock, &cx.rng);
    let mut tx = cx.db.begin().await?;
    if !store::push::upsert(&mut tx, id, new, cx.clock.now()).await? {
        return Err(Refused::SubscriptionOfAnother.into());
    }
    store::push::delete_excess(&mut tx, new.player, PER_PLAYER).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes the player's subscription with this endpoint, if any, or all without an endpoint.
#[instrument(name = "chat.remove_push", skip_all, fields(player.id = %player))]
pub(crate) async fn remove_push(
    cx: &Cx,
    player: PlayerId,
    endpoint: Option<&str>,
) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    store::push::delete_of_player(&mut conn, player, endpoint).await?;
    Ok(())
}

/// Removes a batch of subscriptions that were not refreshed within their retention.
#[instrument(name = "chat.sweep_push", skip_all)]
pub(crate) async fn sweep_push(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let before = cx.clock.now() - cx.push_subscription_retention;
    let removed = store::push::delete_old(&mut conn, before, BATCH).await?;
    Ok(Round::of_batch(removed, BATCH.into()))
}
