//! svc-chat, which keeps players' notifications.

use std::collections::BTreeMap;

use mesh::{
    Shutdown,
    grpc::{client::Upstream, notifications::NotificationSender},
};
use proto::{
    chat::v1::{NewNotification, NotificationKind},
    timestamp,
};
use time::OffsetDateTime;
use types::PlayerId;

/// A client of svc-chat's internal RPC.
#[derive(Clone)]
pub(crate) struct Notifications(NotificationSender);

impl Notifications {
    /// Builds a client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream, shutdown: Shutdown) -> Self {
        Self(NotificationSender::new(upstream, shutdown))
    }

    /// Tells a player that their account was opened on a new device; returns once svc-chat has
    /// stored the notification. `source` is the idempotency key.
    pub(crate) async fn notify_new_device(
        &self,
        source: String,
        player: PlayerId,
        at: OffsetDateTime,
    ) -> anyhow::Result<()> {
        self.notify(NotificationKind::NewDevice, source, player, BTreeMap::new(), at).await
    }

    /// Tells a player that the copy of their data is complete, likewise.
    pub(crate) async fn notify_copy_ready(
        &self,
        source: String,
        player: PlayerId,
        at: OffsetDateTime,
    ) -> anyhow::Result<()> {
        self.notify(NotificationKind::DataCopyReady, source, player, BTreeMap::new(), at).await
    }

    /// Tells a player that withdrawals may go to a new phone, likewise. `phone` is the masked number.
    pub(crate) async fn notify_payout_phone(
        &self,
        source: String,
        player: PlayerId,
        phone: String,
        at: OffsetDateTime,
    ) -> anyhow::Result<()> {
        let params = BTreeMap::from([("phone".to_owned(), phone)]);
        self.notify(NotificationKind::PayoutPhoneAdded, source, player, params, at).await
    }

    async fn notify(
        &self,
        kind: NotificationKind,
        source: String,
        player: PlayerId,
        params: BTreeMap<String, String>,
        at: OffsetDateTime,
    ) -> anyhow::Result<()> {
        let new = NewNotification {
            source,
            player_id: player.to_string(),
            kind: kind.into(),
            params,
            occurred_at: Some(timestamp(at)),
        };
        Ok(self.0.send(new).await?)
    }
}
