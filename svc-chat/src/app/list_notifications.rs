//! A player's notifications.

use mesh::instrument;
use types::{Page, PlayerId};

use super::Cx;
use crate::{
    domain::{Notification, NotificationId},
    error::Error,
    store::notification_page::AskedInbox,
};

/// A page of the player's notifications, newest first, optionally those before a given one.
#[instrument(name = "chat.list_notifications", skip_all, fields(player.id = %player))]
pub(crate) async fn list_notifications(
    cx: &Cx,
    player: PlayerId,
    before: Option<NotificationId>,
    page: Page,
) -> Result<Vec<Notification>, Error> {
    cx.inbox_reader.call(AskedInbox { player, before, page }).await
}
