//! The service under test.

use mesh::{
    Running,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::games::v1::games_service_client::GamesServiceClient;
use svc_games::{Args, build};
use testkit::Database;

/// A running service, its client and its database.
pub(crate) struct Service {
    pub(crate) client: GamesServiceClient<Outgoing>,
    pub(crate) database: Database,
    _running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let base = testkit::base("svc-games");
        let database = testkit::database("svc-games").await;
        let args = Self::args(&database);
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let client =
            GamesServiceClient::new(testkit::upstream("gateway", "svc-games", running.addr));
        Self { client, database, _running: running }
    }

    /// Arguments for this database.
    pub(crate) fn args(database: &Database) -> Args {
        Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: DatabaseArgs::default(),
            // No call of these tests has a token, so svc-auth is never called.
            auth: AuthArgs { auth_url: "https://127.0.0.1:1".to_owned() },
        }
    }
}
