//! svc-{{name}} as its neighbours meet it: over gRPC, with a database of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

mod {{nouns}};

use mesh::{
    Running,
    args::{AuthArgs, PoolArgs},
};
use proto::{{name}}::v1::{{name}}_service_client::{{Name}}ServiceClient;
use sqlx::PgPool;
use svc_{{name}}::{Args, build};
use tonic::transport::Channel;

/// A running service and the ways in.
struct Service {
    client: {{Name}}ServiceClient<Channel>,
    db: PgPool,
    /// Held so that the service lives as long as the test.
    _running: Running,
}

impl Service {
    async fn start() -> Self {
        let base = testkit::base("svc-{{name}}");
        let database_url = testkit::database("svc-{{name}}").await;
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
        let client = {{Name}}ServiceClient::connect(format!("http://{}", running.addr)).await.unwrap();
        Self { client, db, _running: running }
    }
}
