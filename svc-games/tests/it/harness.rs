//! The service under test.

use std::ops::Range;

use mesh::{Base, Running, Shutdown, args::AuthArgs, grpc::client::Outgoing};
use proto::{
    auth::v1::erasure_service_server::ErasureServiceServer,
    games::v1::{
        ApplyGameRequest, BeginRunRequest, BeginRunResponse, CommitPieceRequest, GameManifest,
        GetOpenRunsRequest, GetRunsLeftRequest, GetRunsLeftResponse, ListGamePlayersRequest,
        PrizeClass, StartSessionRequest, StartSessionResponse, SubmitScoreRequest,
        SubmitScoreResponse, catalogue_admin_service_client::CatalogueAdminServiceClient,
        games_service_client::GamesServiceClient, play_service_client::PlayServiceClient,
        run_admin_service_client::RunAdminServiceClient, run_service_client::RunServiceClient,
    },
    timestamp,
};
use sha2::{Digest as _, Sha256};
use svc_games::{Args, build};
use testkit::{Database, Tokens};
use time::OffsetDateTime;
use tonic::{Request, Status};
use types::{Clock, PlayerId};

use crate::{board::Board, erasure::ErasedAccounts};

/// A running service, its clients and its database.
pub(crate) struct Service {
    pub(crate) client: GamesServiceClient<Outgoing>,
    pub(crate) play: PlayServiceClient<Outgoing>,
    pub(crate) admin: CatalogueAdminServiceClient<Outgoing>,
    pub(crate) run_admin: RunAdminServiceClient<Outgoing>,
    /// A client in the name of svc-tournament.
    pub(crate) runs: RunServiceClient<Outgoing>,
    /// The stub of svc-tournament.
    pub(crate) board: Board,
    /// The stub of svc-auth's list of erased accounts.
    pub(crate) erased: ErasedAccounts,
    pub(crate) database: Database,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    base: Base,
    args: Args,
    running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let base = testkit::base("svc-games");
        let database = testkit::database("svc-games").await;
        let tokens = Tokens::new(&base.clock);
        let board = Board::new(&base.clock);
        let erased = ErasedAccounts::default();
        let auth = tokens.routes().add_service(ErasureServiceServer::new(erased.clone()));
        let mut args = Self::args(&database, testkit::serve("svc-auth", auth).await);
        args.tournament_url = board.serve().await;
        Self::with(base, args, database, tokens, board, erased).await
    }

    /// Starts another replica on the same database, with the same clock and players.
    pub(crate) async fn start_replica(&self) -> Self {
        let base = Base { shutdown: Shutdown::new(), ..self.base.clone() };
        let (args, database) = (self.args.clone(), self.database.clone());
        let (tokens, board) = (self.tokens.clone(), self.board.clone());
        Self::with(base, args, database, tokens, board, self.erased.clone()).await
    }

    /// Stops this replica; its calls and deliveries have ended.
    pub(crate) async fn stop(self) {
        assert!(self.running.stop().await, "the service drains");
    }

    async fn with(
        base: Base,
        args: Args,
        database: Database,
        tokens: Tokens,
        board: Board,
        erased: ErasedAccounts,
    ) -> Self {
        let app = build(base.clone(), args.clone()).await.unwrap();
        let running = testkit::start(&base, app).await;
        let upstream = |caller| testkit::upstream(caller, "svc-games", running.addr);
        Self {
            client: GamesServiceClient::new(upstream("gateway")),
            play: PlayServiceClient::new(upstream("gateway")),
            admin: CatalogueAdminServiceClient::new(upstream("playonctl")),
            run_admin: RunAdminServiceClient::new(upstream("playonctl")),
            runs: RunServiceClient::new(upstream("svc-tournament")),
            board,
            erased,
            database,
            clock: base.clock.clone(),
            tokens,
            base,
            args,
            running,
        }
    }

    /// What the service stores about a player, by section.
    pub(crate) async fn data_of(&self, player: PlayerId) -> testkit::Sections {
        testkit::player_data("svc-games", self.running.addr, player).await
    }

    /// A connection of `playonctl` with an operator's certificate.
    pub(crate) fn as_operator(&self, operator: &str) -> Outgoing {
        testkit::operator(operator, "svc-games", self.running.addr)
    }

    /// A connection in the name of the gateway.
    pub(crate) fn as_gateway(&self) -> Outgoing {
        testkit::upstream("gateway", "svc-games", self.running.addr)
    }

    /// Arguments for this database.
    pub(crate) fn args(database: &Database, auth_url: String) -> Args {
        Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: testkit::database_args(),
            auth: AuthArgs { auth_url },
            tournament_url: "https://127.0.0.1:1".to_owned(),
        }
    }

    /// Applies a game that is played by the rules of `counter.wat`; returns its id.
    pub(crate) async fn apply_counter(&self, key: &str) -> String {
        self.apply_rules(key, counter()).await
    }

    /// Applies a game of 200 ticks, which take a little more than three seconds; returns its id.
    pub(crate) async fn apply_long_counter(&self, key: &str) -> String {
        self.apply_rules(key, long_counter()).await
    }

    /// Applies a game whose runs are live: two pieces of ten seconds, with a tick a second.
    pub(crate) async fn apply_live_counter(&self, key: &str) -> String {
        self.apply_rules(key, live_counter()).await
    }

    /// Applies a game that is played by these rules; returns its id.
    pub(crate) async fn apply_rules(&self, key: &str, rules: Vec<u8>) -> String {
        let game = GameManifest { rules_sha256: sha256(&rules), ..manifest(key) };
        self.apply_game(game, rules).await
    }

    /// Applies a game; returns its id.
    pub(crate) async fn apply_game(&self, game: GameManifest, rules: Vec<u8>) -> String {
        let key = game.key.clone();
        let request = ApplyGameRequest { game: Some(game), rules, dry_run: false };
        self.admin.clone().apply_game(request).await.unwrap();
        let find = "SELECT id::text FROM game WHERE key = $1";
        sqlx::query_scalar(find).bind(key).fetch_one(&self.database.pool).await.unwrap()
    }

    /// Starts a session outside tournaments and begins its run.
    pub(crate) async fn start_run(
        &self,
        token: &str,
        game: &str,
        level: u32,
    ) -> Result<BegunRun, Status> {
        let tournament_id = String::new();
        let request = StartSessionRequest { game_id: game.to_owned(), level, tournament_id };
        begun(self.play.clone(), token, request).await
    }

    /// Starts a session in a tournament and begins its run.
    pub(crate) async fn enter(
        &self,
        token: &str,
        game: &str,
        tournament: &str,
    ) -> Result<BegunRun, Status> {
        enter(self.play.clone(), token, game, tournament).await
    }

    /// Starts a session in a tournament without a run.
    pub(crate) async fn open(
        &self,
        token: &str,
        game: &str,
        tournament: &str,
    ) -> Result<StartSessionResponse, Status> {
        let (game_id, tournament_id) = (game.to_owned(), tournament.to_owned());
        let request = StartSessionRequest { game_id, level: 0, tournament_id };
        Ok(self.play.clone().start_session(signed(token, request)).await?.into_inner())
    }

    /// Begins the run of a session.
    pub(crate) async fn begin(&self, session: &str) -> Result<BeginRunResponse, Status> {
        let request = BeginRunRequest { session: session.to_owned() };
        Ok(self.play.clone().begin_run(request).await?.into_inner())
    }

    /// Commits a piece of a live run; returns the seed that it gives.
    pub(crate) async fn commit(
        &self,
        session: &str,
        index: u32,
        inputs: &[u8],
    ) -> Result<i64, Status> {
        let (session, inputs) = (session.to_owned(), inputs.to_vec());
        let request = CommitPieceRequest { session, index, inputs };
        Ok(self.play.clone().commit_piece(request).await?.into_inner().seed)
    }

    /// What the player may still play in a tournament's round.
    pub(crate) async fn runs_left(
        &self,
        token: &str,
        tournament: &str,
    ) -> Result<GetRunsLeftResponse, Status> {
        let request = GetRunsLeftRequest { tournament_id: tournament.to_owned() };
        Ok(self.play.clone().get_runs_left(signed(token, request)).await?.into_inner())
    }

    /// How many runs of a tournament are unfinished.
    pub(crate) async fn open_runs(&self, tournament: &str) -> u32 {
        let request = GetOpenRunsRequest { tournament_id: tournament.to_owned() };
        self.runs.clone().get_open_runs(request).await.unwrap().into_inner().unfinished
    }

    /// A page of the players who played a game last within a span of time.
    pub(crate) async fn players_of(
        &self,
        game: &str,
        span: Range<OffsetDateTime>,
        after: Option<&PlayerId>,
        page_size: u32,
    ) -> Result<Vec<String>, Status> {
        let request = ListGamePlayersRequest {
            game_id: game.to_owned(),
            since: Some(timestamp(span.start)),
            before: Some(timestamp(span.end)),
            after_player_id: after.map(ToString::to_string).unwrap_or_default(),
            page_size,
        };
        let listed = self.runs.clone().list_game_players(request).await?.into_inner();
        Ok(listed.player_ids)
    }

    pub(crate) async fn submit(
        &self,
        session: &str,
        inputs: &[u8],
        points: i32,
    ) -> Result<SubmitScoreResponse, Status> {
        let (session, inputs) = (session.to_owned(), inputs.to_vec());
        let request = SubmitScoreRequest { session, inputs, points, signature: Vec::new() };
        Ok(self.play.clone().submit_score(request).await?.into_inner())
    }

    /// Submits a run by a client that records spans.
    pub(crate) async fn traced_submit(
        &self,
        session: &str,
        inputs: &[u8],
        points: i32,
    ) -> Result<SubmitScoreResponse, Status> {
        let url = format!("https://{}", self.running.addr);
        let gateway = testkit::base("gateway").upstream("svc-games", &url).unwrap();
        let (session, inputs) = (session.to_owned(), inputs.to_vec());
        let request = SubmitScoreRequest { session, inputs, points, signature: Vec::new() };
        Ok(PlayServiceClient::new(gateway).submit_score(request).await?.into_inner())
    }

    /// A count from a query without parameters.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }
}

/// A session whose run has begun.
#[derive(Debug, Clone)]
pub(crate) struct BegunRun {
    pub(crate) session: String,
    pub(crate) seed: i64,
    pub(crate) level: u32,
    pub(crate) started: StartSessionResponse,
}

/// Starts a session in a tournament and begins its run, for concurrent calls.
pub(crate) async fn enter(
    play: PlayServiceClient<Outgoing>,
    token: &str,
    game: &str,
    tournament: &str,
) -> Result<BegunRun, Status> {
    let (game_id, tournament_id) = (game.to_owned(), tournament.to_owned());
    begun(play, token, StartSessionRequest { game_id, level: 0, tournament_id }).await
}

async fn begun(
    mut play: PlayServiceClient<Outgoing>,
    token: &str,
    request: StartSessionRequest,
) -> Result<BegunRun, Status> {
    let started = play.start_session(signed(token, request)).await?.into_inner();
    let session = started.session.clone();
    let request = BeginRunRequest { session: session.clone() };
    let BeginRunResponse { seed, level, .. } = play.begin_run(request).await?.into_inner();
    Ok(BegunRun { session, seed, level, started })
}

/// The rules of `counter.wat`: ten ticks, of which each with input 1 scores
/// [`gain`] points.
pub(crate) fn counter() -> Vec<u8> {
    wat::parse_str(include_str!("counter.wat")).unwrap()
}

/// The counter with runs of 200 ticks.
pub(crate) fn long_counter() -> Vec<u8> {
    let text = include_str!("counter.wat").replace("(i32.const 10)", "(i32.const 200)");
    wat::parse_str(text).unwrap()
}

/// The rules of `live_counter.wat`, with a tick a second.
pub(crate) fn live_counter() -> Vec<u8> {
    let text = include_str!("live_counter.wat").replace("i32.const 60)", "i32.const 1)");
    wat::parse_str(text).unwrap()
}

/// Points that a tick with input 1 scores over this seed.
pub(crate) fn gain(seed: i64) -> i32 {
    if seed & 1 == 1 { 2 } else { 1 }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A valid manifest of a game without rules.
pub(crate) fn manifest(key: &str) -> GameManifest {
    GameManifest {
        key: key.to_owned(),
        name: key.to_owned(),
        package_id: format!("co.playon.{key}"),
        description: "A game.".to_owned(),
        game_icon: "/icon.svg".to_owned(),
        levels: 16,
        prize_class: PrizeClass::Reflex.into(),
        ..GameManifest::default()
    }
}

/// The REASON of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    use tonic_types::StatusExt as _;
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

/// The parameter `refusal` of a refused score.
pub(crate) fn refusal(status: &Status) -> String {
    use tonic_types::StatusExt as _;
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.reason, "SCORE_REFUSED", "{status:?}");
    info.metadata.get("refusal").cloned().unwrap_or_default()
}

/// A request with a player's token.
pub(crate) fn signed<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}
