//! The service under test.

use std::{collections::BTreeMap, time::Duration};

use mesh::{
    Base, Running, Shutdown,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::{
    chat::v1::{
        BatchNotifyRequest, ListNotificationsRequest, NewNotification, Notification,
        NotificationKind, chat_admin_service_client::ChatAdminServiceClient,
        chat_service_client::ChatServiceClient,
        notification_service_client::NotificationServiceClient,
        player_notification_service_client::PlayerNotificationServiceClient,
        push_service_client::PushServiceClient,
        safety_admin_service_client::SafetyAdminServiceClient,
        safety_service_client::SafetyServiceClient,
    },
    timestamp,
};
use svc_chat::{Args, PushArgs, SupportArgs, build};
use testkit::{Database, Tokens};
use tonic::{Request, Status};
use types::{Clock, PlayerId};

use crate::players::Players;

/// A running service, its clients and its database.
pub(crate) struct Service {
    pub(crate) client: ChatServiceClient<Outgoing>,
    pub(crate) notifications: PlayerNotificationServiceClient<Outgoing>,
    pub(crate) admin: ChatAdminServiceClient<Outgoing>,
    pub(crate) safety: SafetyServiceClient<Outgoing>,
    pub(crate) safety_admin: SafetyAdminServiceClient<Outgoing>,
    pub(crate) database: Database,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    /// The players that the stub of svc-auth knows.
    pub(crate) players: Players,
    pub(crate) shutdown: Shutdown,
    pub(crate) running: Running,
    base: Base,
    args: Args,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::start_with(testkit::database_args()).await
    }

    pub(crate) async fn start_with(database_args: DatabaseArgs) -> Self {
        Self::start_args(|args| args.database = database_args).await
    }

    /// Starts with changed arguments.
    pub(crate) async fn start_args(change: impl FnOnce(&mut Args)) -> Self {
        let base = testkit::base("svc-chat");
        let database = testkit::database("svc-chat").await;
        let (tokens, players) = (Tokens::new(&base.clock), Players::default());
        let mut args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: testkit::database_args(),
            auth: AuthArgs { auth_url: players.serve_with(&tokens).await },
            redis_url: testkit::redis_url(),
            notification_retention: Duration::from_hours(24 * 90),
            message_retention: Duration::from_hours(24 * 365),
            messages_per_room: 10_000,
            messages_per_player: 10_000,
            mentions_per_hour: 60,
            presence_interval: Duration::from_secs(12),
            support: SupportArgs::default(),
            push: push_args(),
        };
        change(&mut args);
        Self::with(base, args, database, (tokens, players)).await
    }

    /// Starts another replica on the same database, with the same clock and players.
    pub(crate) async fn start_replica(&self) -> Self {
        self.start_replica_args(|_| ()).await
    }

    /// Starts another replica with changed arguments.
    pub(crate) async fn start_replica_args(&self, change: impl FnOnce(&mut Args)) -> Self {
        let base = Base { shutdown: Shutdown::new(), ..self.base.clone() };
        let known = (self.tokens.clone(), self.players.clone());
        let mut args = self.args.clone();
        change(&mut args);
        Self::with(base, args, self.database.clone(), known).await
    }

    async fn with(
        base: Base,
        args: Args,
        database: Database,
        (tokens, players): (Tokens, Players),
    ) -> Self {
        let app = build(base.clone(), args.clone()).await.unwrap();
        let running = testkit::start(&base, app).await;
        Self {
            client: connect(&running),
            notifications: PlayerNotificationServiceClient::new(upstream("gateway", &running)),
            admin: ChatAdminServiceClient::new(upstream("playonctl", &running)),
            safety: SafetyServiceClient::new(upstream("gateway", &running)),
            safety_admin: SafetyAdminServiceClient::new(upstream("playonctl", &running)),
            database,
            clock: base.clock.clone(),
            tokens,
            players,
            shutdown: base.shutdown.clone(),
            running,
            base,
            args,
        }
    }

    /// A client of the RPCs about push, in the name of the gateway.
    /// What the service stores about a player, by section.
    pub(crate) async fn data_of(&self, player: PlayerId) -> testkit::Sections {
        testkit::player_data("svc-chat", self.running.addr, player).await
    }

    pub(crate) fn pushes(&self) -> PushServiceClient<Outgoing> {
        PushServiceClient::new(self.as_gateway())
    }

    /// A connection in the name of the gateway.
    pub(crate) fn as_gateway(&self) -> Outgoing {
        upstream("gateway", &self.running)
    }

    /// Sends notifications as the service with this name.
    pub(crate) async fn notify_as(
        &self,
        caller: &'static str,
        notifications: Vec<NewNotification>,
    ) -> Result<(), Status> {
        let mut client = NotificationServiceClient::new(upstream(caller, &self.running));
        client.batch_notify(BatchNotifyRequest { notifications }).await.map(drop)
    }

    /// Notifies one player as svc-wallet.
    pub(crate) async fn notify(&self, new: NewNotification) -> Result<(), Status> {
        self.notify_as("svc-wallet", vec![new]).await
    }

    /// A notification that a top-up of the player was credited now.
    pub(crate) fn credited(&self, player: PlayerId, source: &str) -> NewNotification {
        NewNotification {
            source: source.to_owned(),
            player_id: player.to_string(),
            kind: NotificationKind::TopUpCompleted.into(),
            params: BTreeMap::from([("amount".to_owned(), "KES 100.00".to_owned())]),
            occurred_at: Some(timestamp(self.clock.now())),
        }
    }

    /// A page of a player's notifications.
    pub(crate) async fn list(
        &self,
        token: &str,
        request: ListNotificationsRequest,
    ) -> Result<Vec<Notification>, Status> {
        let reply = self.notifications.clone().list_notifications(signed(token, request)).await?;
        Ok(reply.into_inner().notifications)
    }

    /// The newest notifications of a player.
    pub(crate) async fn newest(&self, token: &str) -> Vec<Notification> {
        self.list(token, ListNotificationsRequest::default()).await.unwrap()
    }
}

/// The parameters of a notification.
pub(crate) fn params(notification: &Notification) -> BTreeMap<String, String> {
    serde_json::from_str(&notification.params_json).unwrap()
}

/// Push arguments without a key, so that nothing is pushed.
fn push_args() -> PushArgs {
    PushArgs {
        vapid_private_key: None,
        vapid_subject: "mailto:support@playon.example".into(),
        push_services: vec!["fcm.googleapis.com".parse().unwrap()],
        push_sandbox_url: None,
        push_max_age: Duration::from_hours(1),
        push_subscription_retention: Duration::from_hours(24 * 60),
    }
}

/// A client on a connection of its own.
pub(crate) fn connect(running: &Running) -> ChatServiceClient<Outgoing> {
    ChatServiceClient::new(upstream("gateway", running))
}

fn upstream(caller: &'static str, running: &Running) -> Outgoing {
    testkit::upstream(caller, "svc-chat", running.addr)
}

/// A request with a player's token.
pub(crate) fn signed<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

/// The REASON of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    mesh::Fault::from_status(status).reason.into_owned()
}
