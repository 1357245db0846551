//! svc-auth: identity and the player. What it owns and promises is in its README.
//!
//! ```text
//! rpc, jobs ─► app ─► domain
//!               ├───► store ───► domain
//!               ├───► crypto ──► domain
//!               └───► clients ─► domain
//! ```

mod app;
mod clients;
mod config;
mod crypto;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use std::sync::Arc;

use mesh::{App, Base, auth::Verifier, db, grpc};
use proto::auth::v1::{
    auth_service_server::AuthServiceServer, directory_service_server::DirectoryServiceServer,
    key_service_server::KeyServiceServer, player_service_server::PlayerServiceServer,
};
use tonic::service::Routes;

use crate::app::Cx;
pub use config::{Args, MessagingArgs, Origin};

/// The schema this build expects.
static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();

/// Builds the service from its arguments; tests and `main` alike.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let judged = args.judge(&base.rng, &base.clock)?;
    let pool = db::connect(base.name, &args.database_url, &args.pool, &MIGRATOR).await?;
    let cx = Cx::new(&base, pool.clone(), judged);
    // Its own keys: asking itself over the wire would be a call to nobody.
    let verifier = Verifier::fixed(base.clock.clone(), cx.access.jwks_json(), cx.ended.clone())?;
    // Before the door opens: whoever comes first must not be let in by a token that
    // another replica has ended, nor be told that none was.
    let read_to = app::read_ended_sessions(&cx, None).await?;
    jobs::start(&cx, read_to, &base.shutdown);

    let mut routes = Routes::builder();
    routes
        .add_service(AuthServiceServer::new(rpc::Auth::new(cx.clone())))
        .add_service(KeyServiceServer::new(rpc::Keys::new(cx.clone(), base.shutdown.clone())))
        .add_service(DirectoryServiceServer::new(rpc::Directory::new(cx.clone())))
        .add_service(PlayerServiceServer::new(rpc::Players::new(cx)));
    let routes = grpc::server::guarded(routes.routes(), verifier);
    Ok(App::grpc(
        routes,
        Arc::new(move || {
            let pool = pool.clone();
            Box::pin(async move { db::ping(&pool).await })
        }),
    ))
}
