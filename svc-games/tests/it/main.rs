//! svc-games as its neighbours meet it: over gRPC, with a database of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

mod games;

use mesh::{
    Running,
    args::{AuthArgs, PoolArgs},
};
use proto::games::v1::games_service_client::GamesServiceClient;
use sqlx::PgPool;
use svc_games::{Args, build};
use tonic::transport::Channel;

/// A running service and the ways in.
struct Service {
    client: GamesServiceClient<Channel>,
    db: PgPool,
    /// Held so that the service lives as long as the test.
    _running: Running,
}

impl Service {
    async fn start() -> Self {
        let base = testkit::base("svc-games");
        let database_url = testkit::database("svc-games").await;
        let db = PgPool::connect(database_url.expose()).await.unwrap();
        let args = Args {
            mesh: testkit::args(),
            database_url,
            pool: PoolArgs::default(),
            // Nobody is asked: these calls need no token.
            auth: AuthArgs { auth_url: "http://127.0.0.1:1".to_owned() },
        };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let client = GamesServiceClient::connect(format!("http://{}", running.addr)).await.unwrap();
        Self { client, db, _running: running }
    }
}
