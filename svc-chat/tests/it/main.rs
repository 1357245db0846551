//! svc-chat as its neighbours meet it: over gRPC, with a database of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

mod rooms;

use mesh::{
    Running,
    args::{AuthArgs, PoolArgs},
};
use proto::chat::v1::chat_service_client::ChatServiceClient;
use sqlx::PgPool;
use svc_chat::{Args, build};
use testkit::Tokens;
use tonic::transport::Channel;

/// A running service and the ways in.
struct Service {
    client: ChatServiceClient<Channel>,
    db: PgPool,
    tokens: Tokens,
    /// Held so that the service lives as long as the test.
    _running: Running,
}

impl Service {
    async fn start() -> Self {
        let base = testkit::base("svc-chat");
        let tokens = Tokens::new(&base.clock);
        let database_url = testkit::database("svc-chat").await;
        let db = PgPool::connect(database_url.expose()).await.unwrap();
        let args = Args {
            mesh: testkit::args(),
            database_url,
            pool: PoolArgs::default(),
            auth: AuthArgs { auth_url: tokens.serve_keys().await },
        };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let client = ChatServiceClient::connect(format!("http://{}", running.addr)).await.unwrap();
        Self { client, db, tokens, _running: running }
    }
}
