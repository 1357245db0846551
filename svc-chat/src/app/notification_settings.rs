//! A player's push settings.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{domain::NotificationSettings, error::Error, store};

/// The player's settings, or the defaults.
#[instrument(name = "chat.notification_settings", skip_all, fields(player.id = %player))]
pub(crate) async fn notification_settings(
    cx: &Cx,
    player: PlayerId,
) -> Result<NotificationSettings, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::push::find_settings(&mut conn, player).await?.unwrap_or_default())
}

/// Replaces the player's settings.
#[instrument(name = "chat.update_notification_settings", skip_all, fields(player.id = %player))]
pub(crate) async fn update_notification_settings(
    cx: &Cx,
    player: PlayerId,
    settings: &NotificationSettings,
) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    store::push::put_settings(&mut conn, player, settings, cx.clock.now()).await?;
    Ok(())
}
