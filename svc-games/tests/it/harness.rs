//! The service under test.

use mesh::{
    Base, Running, Shutdown,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::games::v1::{
    ApplyGameRequest, GameManifest, StartSessionRequest, StartSessionResponse, SubmitScoreRequest,
    SubmitScoreResponse, catalogue_admin_service_client::CatalogueAdminServiceClient,
    games_service_client::GamesServiceClient, play_service_client::PlayServiceClient,
};
use sha2::{Digest as _, Sha256};
use svc_games::{Args, build};
use testkit::{Database, Tokens};
use tonic::{Request, Status};
use types::Clock;

/// A running service, its clients and its database.
pub(crate) struct Service {
    pub(crate) client: GamesServiceClient<Outgoing>,
    pub(crate) play: PlayServiceClient<Outgoing>,
    pub(crate) admin: CatalogueAdminServiceClient<Outgoing>,
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
        let args = Self::args(&database, tokens.serve_keys().await);
        Self::with(base, args, database, tokens).await
    }

    /// Starts another replica on the same database, with the same clock and players.
    pub(crate) async fn start_replica(&self) -> Self {
        let base = Base { shutdown: Shutdown::new(), ..self.base.clone() };
        Self::with(base, self.args.clone(), self.database.clone(), self.tokens.clone()).await
    }

    async fn with(base: Base, args: Args, database: Database, tokens: Tokens) -> Self {
        let app = build(base.clone(), args.clone()).await.unwrap();
        let running = testkit::start(&base, app).await;
        let upstream = |caller| testkit::upstream(caller, "svc-games", running.addr);
        Self {
            client: GamesServiceClient::new(upstream("gateway")),
            play: PlayServiceClient::new(upstream("gateway")),
            admin: CatalogueAdminServiceClient::new(upstream("playonctl")),
            database,
            clock: base.clock.clone(),
            tokens,
            base,
            args,
            running,
        }
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
            database: DatabaseArgs::default(),
            auth: AuthArgs { auth_url },
        }
    }

    /// Applies a game that is played by the rules of `counter.wat`; returns its id.
    pub(crate) async fn apply_counter(&self, key: &str) -> String {
        let rules = counter();
        let game = GameManifest { rules_sha256: sha256(&rules), ..manifest(key) };
        let request = ApplyGameRequest { game: Some(game), rules, dry_run: false };
        self.admin.clone().apply_game(request).await.unwrap();
        let find = "SELECT id::text FROM game WHERE key = $1";
        sqlx::query_scalar(find).bind(key).fetch_one(&self.database.pool).await.unwrap()
    }

    pub(crate) async fn start_session(
        &self,
        token: &str,
        game: &str,
        level: u32,
    ) -> Result<StartSessionResponse, Status> {
        let request = StartSessionRequest { game_id: game.to_owned(), level };
        Ok(self.play.clone().start_session(signed(token, request)).await?.into_inner())
    }

    pub(crate) async fn submit(
        &self,
        session: &str,
        inputs: &[u8],
        points: i32,
    ) -> Result<SubmitScoreResponse, Status> {
        let (session, inputs) = (session.to_owned(), inputs.to_vec());
        let request = SubmitScoreRequest { session, inputs, points };
        Ok(self.play.clone().submit_score(request).await?.into_inner())
    }

    /// A count from a query without parameters.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }
}

/// The rules of `counter.wat`: ten ticks, of which each with input 1 scores
/// [`gain`] points.
pub(crate) fn counter() -> Vec<u8> {
    wat::parse_str(include_str!("counter.wat")).unwrap()
}

/// What a tick with input 1 scores.
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
