//! Where the events of topics come from: the streams of the services.

use std::collections::BTreeMap;

use mesh::{Fault, grpc::client::Upstream};
use proto::{
    chat::v1::{
        MessageRemoval, RoomCursor, WatchNotificationsRequest, WatchNotificationsResponse,
        WatchRoomsRequest, WatchRoomsResponse, chat_service_client::ChatServiceClient,
        player_notification_service_client::PlayerNotificationServiceClient,
        watch_rooms_response::Event as RoomEvent,
    },
    live::v1::{
        MessageRemoved, NotificationsUpdate, PaymentUpdate, RoomPresence, StandingUpdate,
        TopicKind, live_event::Event,
    },
    tournament::v1::{
        WatchStandingsRequest, WatchStandingsResponse,
        tournament_service_client::TournamentServiceClient,
    },
    wallet::v1::{
        WatchPaymentsRequest, WatchPaymentsResponse, wallet_service_client::WalletServiceClient,
    },
};
use tonic::{Status, Streaming};

use super::{events::EncodedEvents, topics::Refused};
use crate::language;

/// The stream of a service.
pub(super) trait Source: Send + Sync + 'static {
    /// The messages that the stream delivers.
    type Message: Send + 'static;
    /// The topics of the stream.
    const TOPICS: TopicKind;
    /// Whether the stream ends when its topics are final.
    const IS_FINITE: bool;

    /// Opens the stream: the current state of each topic comes first, or what follows the last
    /// event.
    fn open(&self) -> impl Future<Output = Result<Streaming<Self::Message>, Status>> + Send;

    /// The reader's events for a message, in the reader's language. `None` for a message that only
    /// newer gateways know.
    fn events(&mut self, message: Self::Message) -> Option<EncodedEvents>;

    /// The service's refusal, at the opening or later, with the topics that it is about.
    fn refused(&self, fault: Fault) -> Refused;
}

/// Payments of the player, at svc-wallet.
pub(super) struct Payments {
    pub(super) wallet: WalletServiceClient<Upstream>,
    pub(super) ids: Vec<String>,
}

impl Source for Payments {
    type Message = WatchPaymentsResponse;
    const TOPICS: TopicKind = TopicKind::Payments;
    const IS_FINITE: bool = true;

    async fn open(&self) -> Result<Streaming<WatchPaymentsResponse>, Status> {
        let request = WatchPaymentsRequest { payment_ids: self.ids.clone() };
        Ok(self.wallet.clone().watch_payments(request).await?.into_inner())
    }

    fn events(&mut self, update: WatchPaymentsResponse) -> Option<EncodedEvents> {
        let update = Event::Payment(PaymentUpdate {
            payment_id: update.payment_id,
            status: update.status,
            message: language::render(update.text),
            held_until: update.held_until,
        });
        Some(update.into())
    }

    fn refused(&self, fault: Fault) -> Refused {
        Refused::of_payments(fault, &self.ids)
    }
}

/// The state of the player's notifications, at svc-chat.
pub(super) struct Notifications {
    pub(super) chat: PlayerNotificationServiceClient<Upstream>,
}

impl Source for Notifications {
    type Message = WatchNotificationsResponse;
    const TOPICS: TopicKind = TopicKind::Notifications;
    const IS_FINITE: bool = false;

    async fn open(&self) -> Result<Streaming<WatchNotificationsResponse>, Status> {
        let request = WatchNotificationsRequest {};
        Ok(self.chat.clone().watch_notifications(request).await?.into_inner())
    }

    fn events(&mut self, state: WatchNotificationsResponse) -> Option<EncodedEvents> {
        let WatchNotificationsResponse { unread, newest_id } = state;
        Some(Event::Notifications(NotificationsUpdate { unread, newest_id }).into())
    }

    fn refused(&self, fault: Fault) -> Refused {
        Refused::of_notifications(fault)
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
    const IS_FINITE: bool = true;

    async fn open(&self) -> Result<Streaming<WatchStandingsResponse>, Status> {
        let request = WatchStandingsRequest { tournament_ids: self.ids.clone() };
        Ok(self.tournaments.clone().watch_standings(request).await?.into_inner())
    }

    fn events(&mut self, state: WatchStandingsResponse) -> Option<EncodedEvents> {
        let own = state.own.unwrap_or_default();
        let standing = Event::Standing(StandingUpdate {
            tournament_id: state.tournament_id,
            rank: own.rank,
            points: own.points,
            players: state.players,
            best_points: state.best_points,
            settled: state.settled,
        });
        Some(standing.into())
    }

    fn refused(&self, fault: Fault) -> Refused {
        Refused::of_tournaments(fault, &self.ids)
    }
}

/// Rooms of the player, at svc-chat.
pub(super) struct Rooms {
    pub(super) chat: ChatServiceClient<Upstream>,
    /// The number of the last message that the reader has, by room. A stream that is opened
    /// again goes on from there.
    pub(super) cursors: BTreeMap<String, u64>,
}

impl Source for Rooms {
    type Message = WatchRoomsResponse;
    const TOPICS: TopicKind = TopicKind::Rooms;
    const IS_FINITE: bool = false;

    async fn open(&self) -> Result<Streaming<WatchRoomsResponse>, Status> {
        let cursor = |(uid, &after_seq): (&String, &u64)| RoomCursor {
            chat_room_uid: uid.clone(),
            after_seq,
        };
        let rooms = self.cursors.iter().map(cursor).collect();
        let request = WatchRoomsRequest { rooms, takes_batches: true };
        Ok(self.chat.clone().watch_rooms(request).await?.into_inner())
    }

    fn events(&mut self, update: WatchRoomsResponse) -> Option<EncodedEvents> {
        let WatchRoomsResponse { chat_room_uid, event } = update;
        let cursor = self.cursors.get_mut(&chat_room_uid)?;
        Some(match event? {
            RoomEvent::Messages(messages) => {
                *cursor = messages.seq;
                EncodedEvents::of_service(messages.live_events)
            }
            RoomEvent::Removal(removal) => {
                *cursor = removal.seq.max(*cursor);
                let MessageRemoval { id, seq } = removal;
                Event::MessageRemoved(MessageRemoved { chat_room_uid, id, seq }).into()
            }
            RoomEvent::Counts(counts) => {
                // A cursor beyond the newest message becomes the number of the newest.
                *cursor = counts.seq;
                Event::Presence(RoomPresence {
                    chat_room_uid,
                    member_count: counts.members,
                    online_member_count: counts.online,
                    seq: counts.seq,
                })
                .into()
            }
        })
    }

    fn refused(&self, fault: Fault) -> Refused {
        Refused::of_rooms(fault, self.cursors.keys())
    }
}
