//! Where the events of topics come from: the streams of the services.

use mesh::grpc::client::Upstream;
use proto::{
    chat::v1::{
        WatchNotificationsRequest, WatchNotificationsResponse,
        player_notification_service_client::PlayerNotificationServiceClient,
    },
    live::v1::{NotificationsUpdate, PaymentUpdate, TopicKind, live_event::Event},
    wallet::v1::{
        WatchPaymentsRequest, WatchPaymentsResponse, wallet_service_client::WalletServiceClient,
    },
};
use tonic::{Status, Streaming};

use crate::language;

/// The stream of a service.
pub(super) trait Source: Send + 'static {
    /// What it delivers.
    type Message: Send + 'static;
    /// The topics that it has.
    const TOPICS: TopicKind;

    /// Opens it: the current state of each topic comes first.
    fn open(&self) -> impl Future<Output = Result<Streaming<Self::Message>, Status>> + Send;

    /// What the reader gets, in its language.
    fn event(message: Self::Message) -> Event;
}

/// Payments of the player, at svc-wallet.
pub(super) struct Payments {
    pub(super) wallet: WalletServiceClient<Upstream>,
    pub(super) ids: Vec<String>,
}

impl Source for Payments {
    type Message = WatchPaymentsResponse;
    const TOPICS: TopicKind = TopicKind::Payments;

    async fn open(&self) -> Result<Streaming<WatchPaymentsResponse>, Status> {
        let request = WatchPaymentsRequest { payment_ids: self.ids.clone() };
        Ok(self.wallet.clone().watch_payments(request).await?.into_inner())
    }

    fn event(update: WatchPaymentsResponse) -> Event {
        Event::Payment(PaymentUpdate {
            payment_id: update.payment_id,
            status: update.status,
            message: language::sentence(update.message),
        })
    }
}

/// The state of the player's notifications, at svc-chat.
pub(super) struct Notifications {
    pub(super) chat: PlayerNotificationServiceClient<Upstream>,
}

impl Source for Notifications {
    type Message = WatchNotificationsResponse;
    const TOPICS: TopicKind = TopicKind::Notifications;

    async fn open(&self) -> Result<Streaming<WatchNotificationsResponse>, Status> {
        let request = WatchNotificationsRequest {};
        Ok(self.chat.clone().watch_notifications(request).await?.into_inner())
    }

    fn event(
        WatchNotificationsResponse { unread, newest_id }: WatchNotificationsResponse,
    ) -> Event {
        Event::Notifications(NotificationsUpdate { unread, newest_id })
    }
}
