//! The service under test.

use mesh::{
    Running, Shutdown,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::chat::v1::chat_service_client::ChatServiceClient;
use svc_chat::{Args, build};
use testkit::{Database, Tokens};
use tonic::Request;

/// A running service, its client and its database.
pub(crate) struct Service {
    pub(crate) client: ChatServiceClient<Outgoing>,
    pub(crate) database: Database,
    pub(crate) tokens: Tokens,
    pub(crate) shutdown: Shutdown,
    pub(crate) running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::start_with(DatabaseArgs::default()).await
    }

    pub(crate) async fn start_with(database_args: DatabaseArgs) -> Self {
        let base = testkit::base("svc-chat");
        let database = testkit::database("svc-chat").await;
        let tokens = Tokens::new(&base.clock);
        let args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: database_args,
            auth: AuthArgs { auth_url: tokens.serve_keys().await },
        };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let client = connect(&running);
        Self { client, database, tokens, shutdown: base.shutdown, running }
    }
}

/// A client on a connection of its own.
pub(crate) fn connect(running: &Running) -> ChatServiceClient<Outgoing> {
    ChatServiceClient::new(testkit::upstream("gateway", "svc-chat", running.addr))
}

/// A request with a player's token.
pub(crate) fn signed<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}
