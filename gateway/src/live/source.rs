//! Where the events of topics come from: the streams of the services.

use mesh::grpc::client::Upstream;
use proto::{
    chat::v1::{
        WatchNotificationsRequest, WatchNotificationsResponse,
        player_notification_service_client::PlayerNotificationServiceClient,
    },
    live::v1::{NotificationsUpdate, PaymentUpdate, StandingUpdate, TopicKind, live_event::Event},
    tournament::v1::{
        WatchStandingsRequest, WatchStandingsResponse,
        tournament_service_client::TournamentServiceClient,
    },
    wallet::v1::{
        WatchPaymentsRequest, WatchPaymentsResponse, wallet_service_client::WalletServiceClient,
    },
};
use tonic::{Status, Streaming};

use crate::language;

/// The stream of a service.
pub(super) trait Source: Send + Sync + 'static {
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

/// The player's places in tournaments, at svc-tournament.
pub(super) struct Standings {
    pub(super) tournaments: TournamentServiceClient<Upstream>,
    pub(super) ids: Vec<String>,
}

impl Source for Standings {
    type Message = WatchStandingsResponse;
    const TOPICS: TopicKind = TopicKind::Tournaments;

    async fn open(&self) -> Result<Streaming<WatchStandingsResponse>, Status> {
        let request = WatchStandingsRequest { tournament_ids: self.ids.clone() };
        Ok(self.tournaments.clone().watch_standings(request).await?.into_inner())
    }

    fn event(state: WatchStandingsResponse) -> Event {
        let own = state.own.unwrap_or_default();
        Event::Standing(StandingUpdate {
            tournament_id: state.tournament_id,
            rank: own.rank,
            points: own.points,
            players: state.players,
            best_points: state.best_points,
            settled: state.settled,
        })
    }
}
