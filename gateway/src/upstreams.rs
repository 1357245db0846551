//! The five services, as typed clients.

use std::{fmt, sync::Arc, time::Duration};

use futures_util::future::join_all;
use mesh::{Base, call::Call, grpc::client::Upstream as Channel};
use proto::{
    Priority,
    auth::v1::{
        auth_service_client::AuthServiceClient, directory_service_client::DirectoryServiceClient,
        key_service_client::KeyServiceClient, picture_service_client::PictureServiceClient,
        player_service_client::PlayerServiceClient,
    },
    chat::v1::{
        chat_media_service_client::ChatMediaServiceClient, chat_service_client::ChatServiceClient,
        player_notification_service_client::PlayerNotificationServiceClient,
        push_service_client::PushServiceClient, safety_service_client::SafetyServiceClient,
        support_service_client::SupportServiceClient,
    },
    games::v1::{games_service_client::GamesServiceClient, play_service_client::PlayServiceClient},
    tournament::v1::tournament_service_client::TournamentServiceClient,
    wallet::v1::{
        callback_service_client::CallbackServiceClient, payout_service_client::PayoutServiceClient,
        spending_service_client::SpendingServiceClient,
        subscription_service_client::SubscriptionServiceClient,
        wallet_service_client::WalletServiceClient,
    },
};
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};
use types::Clock;

use crate::config::UpstreamArgs;

/// Longest that a health check may take.
const HEALTH_LIMIT: Duration = Duration::from_secs(1);
/// How long the results of the health checks are reused. Probes have no rate limit, and
/// many of them must not become many calls to each service.
const HEALTH_MAX_AGE: Duration = Duration::from_secs(1);

/// The service behind a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Upstream {
    /// svc-auth.
    Auth,
    /// svc-wallet.
    Wallet,
    /// svc-games.
    Games,
    /// svc-tournament.
    Tournament,
    /// svc-chat.
    Chat,
    /// None: the gateway answers itself.
    Local,
}

/// A channel to each service. Clients are made for each call, because a generated client
/// is called by `&mut`; a clone of a channel costs little.
#[derive(Clone)]
pub(crate) struct Upstreams {
    auth: Channel,
    wallet: Channel,
    games: Channel,
    tournament: Channel,
    chat: Channel,
    clock: Clock,
    /// The latest results. The lock is held during the checks, so that one probe at a time makes
    /// them.
    health: Arc<Mutex<Option<CachedHealth>>>,
}

/// The health of all services at a time.
struct CachedHealth {
    at: OffsetDateTime,
    health: Vec<Health>,
}

/// The health of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Health {
    pub(crate) upstream: Upstream,
    /// Whether its health service replies that it serves.
    pub(crate) serving: bool,
}

impl Upstreams {
    pub(crate) fn connect(base: &Base, args: &UpstreamArgs) -> anyhow::Result<Self> {
        Ok(Self {
            auth: base.upstream("svc-auth", &args.auth_url)?,
            wallet: base.upstream("svc-wallet", &args.wallet_url)?,
            games: base.upstream("svc-games", &args.games_url)?,
            tournament: base.upstream("svc-tournament", &args.tournament_url)?,
            chat: base.upstream("svc-chat", &args.chat_url)?,
            clock: base.clock.clone(),
            health: Arc::default(),
        })
    }

    /// Whether the service of a route is likely to accept a call of this priority.
    pub(crate) fn have_room(&self, upstream: Upstream, priority: Priority) -> bool {
        // The gateway's own routes need no service.
        let mut channels = self.channels();
        channels
            .find(|&(of, _)| of == upstream)
            .is_none_or(|(_, channel)| channel.has_room(priority))
    }

    pub(crate) fn auth_channel(&self) -> Channel {
        self.auth.clone()
    }

    pub(crate) fn auth(&self) -> AuthServiceClient<Channel> {
        AuthServiceClient::new(self.auth.clone())
    }

    pub(crate) fn keys(&self) -> KeyServiceClient<Channel> {
        KeyServiceClient::new(self.auth.clone())
    }

    pub(crate) fn directory(&self) -> DirectoryServiceClient<Channel> {
        DirectoryServiceClient::new(self.auth.clone())
    }

    pub(crate) fn pictures(&self) -> PictureServiceClient<Channel> {
        PictureServiceClient::new(self.auth.clone())
    }

    pub(crate) fn players(&self) -> PlayerServiceClient<Channel> {
        PlayerServiceClient::new(self.auth.clone())
    }

    pub(crate) fn wallet(&self) -> WalletServiceClient<Channel> {
        WalletServiceClient::new(self.wallet.clone())
    }

    pub(crate) fn payouts(&self) -> PayoutServiceClient<Channel> {
        PayoutServiceClient::new(self.wallet.clone())
    }

    pub(crate) fn spending(&self) -> SpendingServiceClient<Channel> {
        SpendingServiceClient::new(self.wallet.clone())
    }

    pub(crate) fn subscriptions(&self) -> SubscriptionServiceClient<Channel> {
        SubscriptionServiceClient::new(self.wallet.clone())
    }

    pub(crate) fn callbacks(&self) -> CallbackServiceClient<Channel> {
        CallbackServiceClient::new(self.wallet.clone())
    }

    pub(crate) fn games(&self) -> GamesServiceClient<Channel> {
        GamesServiceClient::new(self.games.clone())
    }

    pub(crate) fn play(&self) -> PlayServiceClient<Channel> {
        PlayServiceClient::new(self.games.clone())
    }

    pub(crate) fn tournaments(&self) -> TournamentServiceClient<Channel> {
        TournamentServiceClient::new(self.tournament.clone())
    }

    pub(crate) fn chat(&self) -> ChatServiceClient<Channel> {
        ChatServiceClient::new(self.chat.clone())
    }

    pub(crate) fn support(&self) -> SupportServiceClient<Channel> {
        SupportServiceClient::new(self.chat.clone())
    }

    pub(crate) fn chat_media(&self) -> ChatMediaServiceClient<Channel> {
        ChatMediaServiceClient::new(self.chat.clone())
    }

    pub(crate) fn notifications(&self) -> PlayerNotificationServiceClient<Channel> {
        PlayerNotificationServiceClient::new(self.chat.clone())
    }

    pub(crate) fn push(&self) -> PushServiceClient<Channel> {
        PushServiceClient::new(self.chat.clone())
    }

    pub(crate) fn safety(&self) -> SafetyServiceClient<Channel> {
        SafetyServiceClient::new(self.chat.clone())
    }

    /// The health of all services, at most [`HEALTH_MAX_AGE`] old.
    pub(crate) async fn health(&self) -> Vec<Health> {
        let mut latest = self.health.lock().await;
        // The age is absolute, because the clock may be set back.
        if let Some(cached) = &*latest
            && (self.clock.now() - cached.at).unsigned_abs() < HEALTH_MAX_AGE
        {
            return cached.health.clone();
        }
        let health = self.check().await;
        *latest = Some(CachedHealth { at: self.clock.now(), health: health.clone() });
        health
    }

    fn channels(&self) -> impl Iterator<Item = (Upstream, &Channel)> {
        [
            (Upstream::Auth, &self.auth),
            (Upstream::Wallet, &self.wallet),
            (Upstream::Games, &self.games),
            (Upstream::Tournament, &self.tournament),
            (Upstream::Chat, &self.chat),
        ]
        .into_iter()
    }

    /// Checks all services concurrently; takes [`HEALTH_LIMIT`] at most.
    async fn check(&self) -> Vec<Health> {
        join_all(self.channels().map(|(upstream, channel)| async move {
            let serving = is_serving(channel.clone()).await;
            Health { upstream, serving }
        }))
        .await
    }
}

/// `Debug` is not derived, because that of a channel is pages long.
impl fmt::Debug for Upstreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstreams").finish_non_exhaustive()
    }
}

async fn is_serving(channel: Channel) -> bool {
    let ask = async { HealthClient::new(channel).check(HealthCheckRequest::default()).await };
    // A timeout of its own, because the call's deadline does not cover the dialling.
    let answer = tokio::time::timeout(HEALTH_LIMIT, Call::new(HEALTH_LIMIT, None).run(ask)).await;
    matches!(answer, Ok(Ok(reply)) if reply.get_ref().status() == ServingStatus::Serving)
}
