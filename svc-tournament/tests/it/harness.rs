//! The service under test.

use mesh::{
    Base, Running, Shutdown,
    args::{AuthArgs, SecretUrl},
    grpc::client::Outgoing,
};
use proto::{
    auth::v1::person_service_server::PersonServiceServer,
    games::v1::{games_service_server::GamesServiceServer, run_service_server::RunServiceServer},
    timestamp,
    tournament::v1::{
        ApplyTournamentRequest, AwardManifest, GetLeaderboardRequest, GetLeaderboardResponse,
        GetTournamentRequest, RecordScoreRequest, RecordScoreResponse, ScoreTrust, Tier,
        Tournament, TournamentManifest, score_service_client::ScoreServiceClient,
        tournament_admin_service_client::TournamentAdminServiceClient,
        tournament_service_client::TournamentServiceClient,
    },
    types::v1::{Change, Money},
    wallet::v1::{
        award_service_server::AwardServiceServer,
        entitlement_service_server::EntitlementServiceServer,
    },
};
use svc_tournament::{Args, build};
use testkit::{BEGINNING, Database, Notifications, Tokens, eventually};
use time::{Duration, OffsetDateTime};
use tonic::{Request, Status, service::Routes};
use types::{Clock, PlayerId};

use crate::upstreams::{Games, Persons, Wallets};

/// A running service, its clients, its upstreams and its database.
pub(crate) struct Service {
    pub(crate) client: TournamentServiceClient<Outgoing>,
    pub(crate) scores: ScoreServiceClient<Outgoing>,
    pub(crate) admin: TournamentAdminServiceClient<Outgoing>,
    pub(crate) world: World,
    pub(crate) running: Running,
    pub(crate) shutdown: Shutdown,
}

/// The database, the upstreams and the clock that the replicas of a test share.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) base: Base,
    pub(crate) args: Args,
    pub(crate) database: Database,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    pub(crate) games: Games,
    pub(crate) wallets: Wallets,
    pub(crate) persons: Persons,
    pub(crate) notifications: Notifications,
}

impl World {
    pub(crate) async fn new() -> Self {
        let base = testkit::base("svc-tournament");
        let database = testkit::database("svc-tournament").await;
        let tokens = Tokens::new(&base.clock);
        let (games, wallets, persons, notifications) =
            (Games::default(), Wallets::default(), Persons::default(), Notifications::default());
        let mut routes = Routes::builder();
        routes
            .add_service(GamesServiceServer::new(games.clone()))
            .add_service(RunServiceServer::new(games.clone()));
        let mut wallet = Routes::builder();
        wallet
            .add_service(AwardServiceServer::new(wallets.clone()))
            .add_service(EntitlementServiceServer::new(wallets.clone()));
        let auth = tokens.routes().add_service(PersonServiceServer::new(persons.clone()));
        let args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: testkit::database_args(),
            auth: AuthArgs { auth_url: testkit::serve("svc-auth", auth).await },
            games_url: testkit::serve("svc-games", routes.routes()).await,
            wallet_url: testkit::serve("svc-wallet", wallet.routes()).await,
            chat_url: notifications.serve().await,
            redis_url: testkit::redis_url(),
            board_entries: 1_000,
            award_hold: std::time::Duration::ZERO,
            cash_confirmed_over: 10_000,
            cash_alone_a_day: 50_000,
        };
        let clock = base.clock.clone();
        Self { base, args, database, clock, tokens, games, wallets, persons, notifications }
    }

    /// Starts a replica of the service.
    pub(crate) async fn start(&self) -> Service {
        self.start_with(self.args.clone()).await
    }

    /// Starts a replica that connects to the database by this URL.
    pub(crate) async fn start_by(&self, database_url: SecretUrl) -> Service {
        self.start_with(Args { database_url, ..self.args.clone() }).await
    }

    async fn start_with(&self, args: Args) -> Service {
        let base = Base { shutdown: Shutdown::new(), ..self.base.clone() };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let upstream = |caller| testkit::upstream(caller, "svc-tournament", running.addr);
        Service {
            client: TournamentServiceClient::new(upstream("gateway")),
            scores: ScoreServiceClient::new(upstream("svc-games")),
            admin: TournamentAdminServiceClient::new(upstream("playonctl")),
            world: self.clone(),
            shutdown: base.shutdown.clone(),
            running,
        }
    }

    /// A count from a query without parameters.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }

    /// Advances the clock.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by.try_into().unwrap());
    }

    pub(crate) fn player(&self) -> PlayerId {
        self.tokens.player().0
    }
}

impl Service {
    /// What the service stores about a player, by section.
    pub(crate) async fn data_of(&self, player: PlayerId) -> testkit::Sections {
        testkit::player_data("svc-tournament", self.running.addr, player).await
    }

    /// Starts a service that holds awards of money for a day.
    pub(crate) async fn start_with_hold() -> Self {
        let mut world = World::new().await;
        world.args.award_hold = Duration::days(1).unsigned_abs();
        world.start().await
    }

    pub(crate) async fn start() -> Self {
        World::new().await.start().await
    }

    /// Applies a tournament; returns its id.
    pub(crate) async fn apply(&self, manifest: TournamentManifest) -> String {
        let id = id(&manifest.key);
        self.try_apply(manifest).await.unwrap();
        id
    }

    pub(crate) async fn try_apply(&self, manifest: TournamentManifest) -> Result<Change, Status> {
        let request = ApplyTournamentRequest { tournament: Some(manifest), dry_run: false };
        Ok(self.admin.clone().apply_tournament(request).await?.into_inner().change())
    }

    /// Applies a tournament as an operator of this name.
    pub(crate) async fn apply_as(
        &self,
        operator: &str,
        manifest: TournamentManifest,
    ) -> Result<Change, Status> {
        let upstream = testkit::operator(operator, "svc-tournament", self.running.addr);
        let request = ApplyTournamentRequest { tournament: Some(manifest), dry_run: false };
        let mut admin = TournamentAdminServiceClient::new(upstream);
        Ok(admin.apply_tournament(request).await?.into_inner().change())
    }

    pub(crate) async fn tournament(&self, id: &str) -> Tournament {
        let request = GetTournamentRequest { id: id.to_owned() };
        let reply = self.client.clone().get_tournament(request).await.unwrap();
        reply.into_inner().tournament.unwrap()
    }

    pub(crate) async fn try_record(
        &self,
        request: RecordScoreRequest,
    ) -> Result<RecordScoreResponse, Status> {
        Ok(self.scores.clone().record_score(request).await?.into_inner())
    }

    /// Records a proven score that a player reaches now.
    pub(crate) async fn record(&self, id: &str, player: PlayerId, points: i32) {
        let request = score(id, player, points, self.world.clock.now());
        self.try_record(request).await.unwrap();
    }

    /// A page of a board, for a player.
    pub(crate) async fn try_board(
        &self,
        player: PlayerId,
        request: GetLeaderboardRequest,
    ) -> Result<GetLeaderboardResponse, Status> {
        let request = signed(&self.world.tokens.token(player), request);
        Ok(self.client.clone().get_leaderboard(request).await?.into_inner())
    }

    /// The first page of a board, for a player.
    pub(crate) async fn board(&self, id: &str, player: PlayerId) -> GetLeaderboardResponse {
        let request = GetLeaderboardRequest { tournament_id: id.to_owned(), page: 0, page_size: 0 };
        self.try_board(player, request).await.unwrap()
    }

    /// The players and points of a board, in order of place.
    pub(crate) async fn order(&self, id: &str) -> Vec<(String, i32)> {
        let request =
            GetLeaderboardRequest { tournament_id: id.to_owned(), page: 0, page_size: 100 };
        let board = self.try_board(self.world.player(), request).await.unwrap();
        board.standings.into_iter().map(|one| (one.player_id, one.points)).collect()
    }

    /// Waits until a tournament is settled.
    pub(crate) async fn until_settled(&self, id: &str) -> Tournament {
        eventually("the settlement", || async {
            Some(self.tournament(id).await).filter(|tournament| tournament.settled)
        })
        .await
    }
}

/// The id of a tournament.
pub(crate) fn id(key: &str) -> String {
    types::content_id("Tournament", key).to_string()
}

/// A valid manifest of a tournament that starts at the test's beginning and lasts an hour.
pub(crate) fn manifest(key: &str) -> TournamentManifest {
    TournamentManifest {
        key: key.to_owned(),
        name: format!("The {key}"),
        description: "A contest.".to_owned(),
        game: "ajua".to_owned(),
        level: 2,
        starts: Some(timestamp(BEGINNING)),
        ends: Some(timestamp(BEGINNING + Duration::hours(1))),
        rounds: 2,
        runs_per_round: 3,
        ..TournamentManifest::default()
    }
}

/// An award in bronze; without cash for 0 shillings.
pub(crate) fn award(position: u32, name: &str, shillings: i64) -> AwardManifest {
    AwardManifest {
        position,
        name: name.to_owned(),
        tier: Tier::Bronze.into(),
        cash: (shillings > 0).then_some(Money { cents: shillings * 100 }),
        ..AwardManifest::default()
    }
}

/// A proven score, of a run of a minute.
pub(crate) fn score(
    id: &str,
    player: PlayerId,
    points: i32,
    reached_at: OffsetDateTime,
) -> RecordScoreRequest {
    RecordScoreRequest {
        tournament_id: id.to_owned(),
        player_id: player.to_string(),
        points,
        trust: ScoreTrust::Proven.into(),
        reached_at: Some(timestamp(reached_at)),
        began_at: Some(timestamp(reached_at - Duration::minutes(1))),
        released_at: None,
    }
}

/// The REASON of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    mesh::Fault::from_status(status).reason.into_owned()
}

/// The field of a refusal, and its problem.
pub(crate) fn field(status: &Status) -> (String, String) {
    let field = mesh::Fault::from_status(status).fields.into_iter().next().unwrap_or_default();
    (field.name, field.text.into_owned())
}

/// A request with a player's token.
pub(crate) fn signed<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}
