//! svc-chat, which keeps players' notifications.

use std::collections::HashMap;

use mesh::grpc::client::Upstream;
use proto::{
    chat::v1::{
        NotificationKind, NotifyRequest, notification_service_client::NotificationServiceClient,
    },
    timestamp,
};
use time::OffsetDateTime;
use types::PlayerId;

/// A client of svc-chat's internal RPC.
#[derive(Clone)]
pub(crate) struct Notifications {
    client: NotificationServiceClient<Upstream>,
}

/// What a player is told. svc-chat has the words, by the kind and its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Notification<'a> {
    /// What caused it; svc-chat stores one notification for it, however often it is sent.
    pub(crate) source: String,
    pub(crate) player: PlayerId,
    pub(crate) kind: NotificationKind,
    pub(crate) params: &'a [(&'static str, &'a str)],
    pub(crate) occurred_at: OffsetDateTime,
}

impl Notifications {
    /// A client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { client: NotificationServiceClient::new(upstream) }
    }

    /// Returns once svc-chat has stored it.
    pub(crate) async fn notify(&self, notification: Notification<'_>) -> anyhow::Result<()> {
        let params: HashMap<String, String> = notification
            .params
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let request = NotifyRequest {
            source: notification.source,
            player_id: notification.player.to_string(),
            kind: notification.kind.into(),
            params,
            occurred_at: Some(timestamp(notification.occurred_at)),
        };
        self.client.clone().notify(request).await?;
        Ok(())
    }
}
