//! The service under test.

use mesh::{
    Running,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::tournament::v1::tournament_service_client::TournamentServiceClient;
use svc_tournament::{Args, build};
use testkit::Database;
use types::Clock;

/// A running service, its client and its database.
pub(crate) struct Service {
    pub(crate) client: TournamentServiceClient<Outgoing>,
    pub(crate) database: Database,
    pub(crate) clock: Clock,
    _running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let base = testkit::base("svc-tournament");
        let database = testkit::database("svc-tournament").await;
        let args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: DatabaseArgs::default(),
            // No call of these tests has a token, so svc-auth is never called.
            auth: AuthArgs { auth_url: "https://127.0.0.1:1".to_owned() },
        };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let client = TournamentServiceClient::new(testkit::upstream(
            "gateway",
            "svc-tournament",
            running.addr,
        ));
        Self { client, database, clock: base.clock, _running: running }
    }
}
