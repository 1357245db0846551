//! All five services: each call is recorded, and answered with a fixed reply unless the
//! test sets a refusal.

pub(crate) mod identity;
mod push;
pub(crate) mod rooms;
mod safety;
mod support;
mod wallet;

use std::{
    any::Any,
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use proto::{
    chat::v1::{self as chat, player_notification_service_server::PlayerNotificationService},
    games::v1::{
        self as games, games_service_server::GamesService, play_service_server::PlayService,
    },
    timestamp,
    tournament::v1::{self as tournament, tournament_service_server::TournamentService},
    types::v1::Money,
    wallet::v1::WatchPaymentsResponse,
};
use time::macros::datetime;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, metadata::MetadataMap};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
    health_server::Health,
};

type Update = Result<WatchPaymentsResponse, Status>;
/// Watches that are prepared, in the order of the calls.
type Watches<M> = VecDeque<Result<mpsc::Receiver<Result<M, Status>>, Status>>;

/// Every upstream. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Stub(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    received: Vec<(MetadataMap, Box<dyn Any + Send>)>,
    refusal: Option<Status>,
    delay: Duration,
    created: bool,
    replaced_picture: Option<String>,
    unused_pictures: Vec<String>,
    unused_media: Vec<String>,
    watches: Watches<WatchPaymentsResponse>,
    notification_watches: Watches<chat::WatchNotificationsResponse>,
    standing_watches: Watches<tournament::WatchStandingsResponse>,
    room_watches: Watches<chat::WatchRoomsResponse>,
}

impl Stub {
    /// The calls that came with a `T`.
    pub(crate) fn received<T: Clone + 'static>(&self) -> Vec<(MetadataMap, T)> {
        let state = self.0.lock().unwrap();
        state
            .received
            .iter()
            .filter_map(|(metadata, message)| {
                let message = message.downcast_ref::<T>()?;
                Some((metadata.clone(), message.clone()))
            })
            .collect()
    }

    /// Refuses the next calls.
    pub(crate) fn refuse(&self, status: impl Into<Status>) {
        self.0.lock().unwrap().refusal = Some(status.into());
    }

    /// Answers the next calls with replies again.
    pub(crate) fn allow(&self) {
        self.0.lock().unwrap().refusal = None;
    }

    /// Delays each call.
    pub(crate) fn delay(&self, delay: Duration) {
        self.0.lock().unwrap().delay = delay;
    }

    /// Replies that the profile was created by the call.
    pub(crate) fn create_profile(&self) {
        self.0.lock().unwrap().created = true;
    }

    /// Sets the picture that a new one replaces.
    pub(crate) fn replace_picture(&self, url: &str) {
        self.0.lock().unwrap().replaced_picture = Some(url.to_owned());
    }

    /// Sets the pictures that no player has.
    pub(crate) fn unuse_pictures(&self, urls: &[&str]) {
        self.0.lock().unwrap().unused_pictures = urls.iter().map(ToString::to_string).collect();
    }

    /// Prepares the next watch; returns the sender of its updates.
    pub(crate) fn next_watch(&self) -> mpsc::Sender<Update> {
        let (feed, updates) = mpsc::channel(1_000);
        self.0.lock().unwrap().watches.push_back(Ok(updates));
        feed
    }

    /// Prepares the next watch of notifications; returns the sender of its states.
    pub(crate) fn next_notification_watch(
        &self,
    ) -> mpsc::Sender<Result<chat::WatchNotificationsResponse, Status>> {
        let (feed, states) = mpsc::channel(1_000);
        self.0.lock().unwrap().notification_watches.push_back(Ok(states));
        feed
    }

    /// Prepares a refusal of the next watch of notifications.
    pub(crate) fn refuse_notification_watch(&self, status: impl Into<Status>) {
        let refusal = Err(status.into());
        self.0.lock().unwrap().notification_watches.push_back(refusal);
    }

    /// Prepares the next watch of standings; returns the sender of its states.
    pub(crate) fn next_standing_watch(
        &self,
    ) -> mpsc::Sender<Result<tournament::WatchStandingsResponse, Status>> {
        let (feed, states) = mpsc::channel(1_000);
        self.0.lock().unwrap().standing_watches.push_back(Ok(states));
        feed
    }

    /// Prepares a refusal of the next watch of standings.
    pub(crate) fn refuse_standing_watch(&self, status: impl Into<Status>) {
        let refusal = Err(status.into());
        self.0.lock().unwrap().standing_watches.push_back(refusal);
    }

    /// Drops the prepared watches.
    pub(crate) fn forget_watches(&self) {
        self.0.lock().unwrap().watches.clear();
    }

    /// Prepares a refusal of the next watch.
    pub(crate) fn refuse_watch(&self, status: impl Into<Status>) {
        let refusal = Err(status.into());
        self.0.lock().unwrap().watches.push_back(refusal);
    }

    async fn receive<T: Send + 'static>(&self, request: Request<T>) -> Result<(), Status> {
        let (metadata, _, message) = request.into_parts();
        let (delay, refusal) = {
            let mut state = self.0.lock().unwrap();
            state.received.push((metadata, Box::new(message)));
            (state.delay, state.refusal.clone())
        };
        tokio::time::sleep(delay).await;
        refusal.map_or(Ok(()), Err)
    }

    async fn answer<T: Send + 'static, R>(
        &self,
        request: Request<T>,
        reply: R,
    ) -> Result<Response<R>, Status> {
        self.receive(request).await?;
        Ok(Response::new(reply))
    }
}

/// The hash of a rules module that svc-games has.
pub(crate) const OTHER_RULES: &str =
    "b0cd5f5ab1d9f5c6d1bb1d3e2f5a4c3b2a1908f7e6d5c4b3a2918070605f4e3d";

pub(crate) const AT: time::OffsetDateTime = datetime!(2026-11-20 12:00:00.5 +3);

fn game() -> games::Game {
    games::Game {
        id: "g-1".into(),
        name: "Ajua".into(),
        package_id: "ke.playon.ajua".into(),
        description: "Mancala.".into(),
        game_icon: "/play/ajua/icon.png".into(),
        trailer_link: None,
        game_url: "/play/ajua/".into(),
        featured: true,
        world: "ajua".into(),
        levels: 3,
        prize_class: games::PrizeClass::Reflex.into(),
    }
}

fn rules() -> games::Rules {
    games::Rules { url: "/play/ajua/rules.wasm?abc".into(), sha256: "abc".into() }
}

fn run(player_id: &str) -> games::Run {
    games::Run {
        player_id: player_id.into(),
        game_id: "g-1".into(),
        game_url: "/play/ajua/".into(),
        points: 4_711,
        seed: -7,
        level: 2,
        rules: Some(rules()),
        inputs: vec![1, 255, 3],
        reached_at: Some(timestamp(AT)),
        next_seeds: vec![8, -9],
        session_id: "s-1".into(),
    }
}

fn contest() -> tournament::Tournament {
    tournament::Tournament {
        id: "t-1".into(),
        name: "Friday".into(),
        description: "Weekly.".into(),
        game_id: "g-1".into(),
        starts: Some(timestamp(AT)),
        ends: Some(timestamp(AT + Duration::from_hours(2))),
        players: 212,
        cash: Some(Money { cents: 150_050 }),
        first_award: "Champion".into(),
        runs_per_round: 5,
        rounds: 2,
        settled: false,
    }
}

#[tonic::async_trait]
impl Health for Stub {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let status = ServingStatus::Serving.into();
        self.answer(request, HealthCheckResponse { status }).await
    }

    type WatchStream = ReceiverStream<Result<HealthCheckResponse, Status>>;

    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("the gateway asks once"))
    }
}

#[tonic::async_trait]
impl GamesService for Stub {
    async fn list_games(
        &self,
        request: Request<games::ListGamesRequest>,
    ) -> Result<Response<games::ListGamesResponse>, Status> {
        let games = vec![game(); 20];
        self.answer(request, games::ListGamesResponse { games }).await
    }

    async fn get_game(
        &self,
        request: Request<games::GetGameRequest>,
    ) -> Result<Response<games::GetGameResponse>, Status> {
        let game = Some(game());
        self.answer(request, games::GetGameResponse { game }).await
    }

    async fn get_rules(
        &self,
        request: Request<games::GetRulesRequest>,
    ) -> Result<Response<games::GetRulesResponse>, Status> {
        if request.get_ref().sha256 != OTHER_RULES {
            return Err(Status::not_found("no such module"));
        }
        self.answer(request, games::GetRulesResponse { module: b"a module".to_vec() }).await
    }

    async fn list_recent_games(
        &self,
        request: Request<games::ListRecentGamesRequest>,
    ) -> Result<Response<games::ListRecentGamesResponse>, Status> {
        let games = vec![game()];
        self.answer(request, games::ListRecentGamesResponse { games }).await
    }

    async fn list_events(
        &self,
        request: Request<games::ListEventsRequest>,
    ) -> Result<Response<games::ListEventsResponse>, Status> {
        let events = vec![games::Event {
            id: "e-1".into(),
            created_at: Some(timestamp(AT)),
            title: "Derby".into(),
            description: "On Saturday.".into(),
            event_banner_url: "/content/derby.svg".into(),
        }];
        self.answer(request, games::ListEventsResponse { events }).await
    }

    async fn list_tv_items(
        &self,
        request: Request<games::ListTvItemsRequest>,
    ) -> Result<Response<games::ListTvItemsResponse>, Status> {
        let items = vec![games::TvItem {
            id: "v-1".into(),
            title: "How to play".into(),
            channel_url: "https://youtu.be/abcdefghijk".into(),
            primary: true,
            created_at: Some(timestamp(AT)),
        }];
        self.answer(request, games::ListTvItemsResponse { items }).await
    }
}

#[tonic::async_trait]
impl PlayService for Stub {
    async fn start_session(
        &self,
        request: Request<games::StartSessionRequest>,
    ) -> Result<Response<games::StartSessionResponse>, Status> {
        let started = games::StartSessionResponse {
            session: "ticket".into(),
            game_url: "/play/ajua/".into(),
            expires_at: Some(timestamp(AT)),
            rules: Some(rules()),
            runs_left: (!request.get_ref().tournament_id.is_empty()).then_some(4),
        };
        self.answer(request, started).await
    }

    async fn begin_run(
        &self,
        request: Request<games::BeginRunRequest>,
    ) -> Result<Response<games::BeginRunResponse>, Status> {
        let expires_at = Some(timestamp(AT));
        let begun = games::BeginRunResponse {
            seed: -9_007_199_254_740_993,
            level: 2,
            expires_at,
            next_seeds: vec![-5],
            inputs: vec![10, 1],
        };
        self.answer(request, begun).await
    }

    async fn commit_piece(
        &self,
        request: Request<games::CommitPieceRequest>,
    ) -> Result<Response<games::CommitPieceResponse>, Status> {
        self.answer(request, games::CommitPieceResponse { seed: 11 }).await
    }

    async fn get_runs_left(
        &self,
        request: Request<games::GetRunsLeftRequest>,
    ) -> Result<Response<games::GetRunsLeftResponse>, Status> {
        self.answer(
            request,
            games::GetRunsLeftResponse { runs_left: 3, has_open_run: true, round: 1 },
        )
        .await
    }

    async fn get_best_run(
        &self,
        request: Request<games::GetBestRunRequest>,
    ) -> Result<Response<games::GetBestRunResponse>, Status> {
        let run = Some(run("p-1"));
        self.answer(request, games::GetBestRunResponse { run }).await
    }

    async fn get_tournament_run(
        &self,
        request: Request<games::GetTournamentRunRequest>,
    ) -> Result<Response<games::GetTournamentRunResponse>, Status> {
        let run = Some(run(&request.get_ref().player_id));
        self.answer(request, games::GetTournamentRunResponse { run }).await
    }

    async fn submit_score(
        &self,
        request: Request<games::SubmitScoreRequest>,
    ) -> Result<Response<games::SubmitScoreResponse>, Status> {
        let points = request.get_ref().points;
        let trust = games::Trust::Proven.into();
        let score = games::SubmitScoreResponse { points, best: 1_240, trust, rank: Some(4) };
        self.answer(request, score).await
    }
}

#[tonic::async_trait]
impl TournamentService for Stub {
    async fn list_tournaments(
        &self,
        request: Request<tournament::ListTournamentsRequest>,
    ) -> Result<Response<tournament::ListTournamentsResponse>, Status> {
        let tournaments = vec![contest()];
        let reply = tournament::ListTournamentsResponse { tournaments };
        self.answer(request, reply).await
    }

    async fn get_tournament(
        &self,
        request: Request<tournament::GetTournamentRequest>,
    ) -> Result<Response<tournament::GetTournamentResponse>, Status> {
        let settled = request.get_ref().id == "t-2";
        let tournament = Some(tournament::Tournament { settled, ..contest() });
        self.answer(request, tournament::GetTournamentResponse { tournament }).await
    }

    async fn list_awards(
        &self,
        request: Request<tournament::ListAwardsRequest>,
    ) -> Result<Response<tournament::ListAwardsResponse>, Status> {
        let award = |tier: tournament::Tier, cents: Option<i64>| tournament::Award {
            position: 1,
            name: "Champion".into(),
            tier: tier.into(),
            cash: cents.map(|cents| Money { cents }),
        };
        let awards = vec![
            award(tournament::Tier::Gold, Some(150_050)),
            award(tournament::Tier::Bronze, None),
        ];
        self.answer(request, tournament::ListAwardsResponse { awards }).await
    }

    async fn get_leaderboard(
        &self,
        request: Request<tournament::GetLeaderboardRequest>,
    ) -> Result<Response<tournament::GetLeaderboardResponse>, Status> {
        let standing = |player_id: &str, rank| tournament::Standing {
            player_id: player_id.into(),
            rank,
            points: 4_711,
        };
        let board = tournament::GetLeaderboardResponse {
            standings: vec![standing("u-1", 1), standing("gone", 2)],
            last: false,
            players: 212,
            own: Some(standing("p-9", 97)),
            settled: false,
            own_awards: vec![tournament::OwnAward {
                cash: Some(Money { cents: 50_000 }),
                state: tournament::AwardState::Pending.into(),
                due_at: Some(timestamp(AT)),
                needs_phone: false,
                reason: String::new(),
            }],
        };
        self.answer(request, board).await
    }

    async fn get_result_proof(
        &self,
        request: Request<tournament::GetResultProofRequest>,
    ) -> Result<Response<tournament::GetResultProofResponse>, Status> {
        let seal = vec![1; 32];
        if request.get_ref().tournament_id != "t-2" {
            let open = tournament::GetResultProofResponse { seal, ..Default::default() };
            return self.answer(request, open).await;
        }
        let place = |rank, run| tournament::ProvenPlace {
            rank,
            player_id: format!("p-{rank}"),
            points: 4_711,
            run,
        };
        let run = tournament::ProvenRun {
            seed: i64::MIN,
            inputs: vec![10, 1],
            next_seeds: vec![5],
            session_id: "s-1".into(),
        };
        let proof = tournament::GetResultProofResponse {
            seal,
            settled: true,
            secret: vec![2; 32],
            rounds: 3,
            level: 1,
            rules_sha256: OTHER_RULES.into(),
            places: vec![place(1, Some(run)), place(2, None)],
        };
        self.answer(request, proof).await
    }

    async fn list_hall_of_fame(
        &self,
        request: Request<tournament::ListHallOfFameRequest>,
    ) -> Result<Response<tournament::ListHallOfFameResponse>, Status> {
        let entries = vec![tournament::FameEntry {
            id: "f-1".into(),
            title: "Friday".into(),
            description: "The fastest.".into(),
            member_ids: vec!["p-1".into(), "p-2".into()],
            created_at: Some(timestamp(AT)),
        }];
        self.answer(request, tournament::ListHallOfFameResponse { entries }).await
    }

    type WatchStandingsStream = ReceiverStream<Result<tournament::WatchStandingsResponse, Status>>;

    async fn watch_standings(
        &self,
        request: Request<tournament::WatchStandingsRequest>,
    ) -> Result<Response<Self::WatchStandingsStream>, Status> {
        self.receive(request).await?;
        let next = self.0.lock().unwrap().standing_watches.pop_front();
        let states = next.unwrap_or_else(|| Err(Status::unavailable("no stream is prepared")))?;
        Ok(Response::new(ReceiverStream::new(states)))
    }
}

#[tonic::async_trait]
impl PlayerNotificationService for Stub {
    async fn list_notifications(
        &self,
        request: Request<chat::ListNotificationsRequest>,
    ) -> Result<Response<chat::ListNotificationsResponse>, Status> {
        let boosted = chat::Notification {
            id: "n-2".into(),
            kind: chat::NotificationKind::BoostReceived.into(),
            params_json: r#"{"amount": "KES 75.00", "from": "amina"}"#.into(),
            occurred_at: Some(timestamp(AT)),
            ..chat::Notification::default()
        };
        let of_a_newer_service =
            chat::Notification { id: "n-3".into(), kind: 4_711, ..boosted.clone() };
        let topped_up = chat::Notification {
            id: "n-1".into(),
            kind: chat::NotificationKind::TopUpCompleted.into(),
            params_json: r#"{"amount": "KES 1,000.00"}"#.into(),
            read: true,
            ..boosted.clone()
        };
        let notifications = vec![of_a_newer_service, boosted, topped_up];
        self.answer(request, chat::ListNotificationsResponse { notifications }).await
    }

    async fn count_unread_notifications(
        &self,
        request: Request<chat::CountUnreadNotificationsRequest>,
    ) -> Result<Response<chat::CountUnreadNotificationsResponse>, Status> {
        self.answer(request, chat::CountUnreadNotificationsResponse { unread: 3 }).await
    }

    async fn mark_notifications_read(
        &self,
        request: Request<chat::MarkNotificationsReadRequest>,
    ) -> Result<Response<chat::MarkNotificationsReadResponse>, Status> {
        self.answer(request, chat::MarkNotificationsReadResponse {}).await
    }

    type WatchNotificationsStream =
        ReceiverStream<Result<chat::WatchNotificationsResponse, Status>>;

    async fn watch_notifications(
        &self,
        request: Request<chat::WatchNotificationsRequest>,
    ) -> Result<Response<Self::WatchNotificationsStream>, Status> {
        self.receive(request).await?;
        let next = self.0.lock().unwrap().notification_watches.pop_front();
        let states = next.unwrap_or_else(|| Err(Status::unavailable("no stream is prepared")))?;
        Ok(Response::new(ReceiverStream::new(states)))
    }
}
