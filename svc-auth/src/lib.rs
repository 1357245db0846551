//! svc-auth: identity and the player. What it owns and promises is in its README.
//!
//! ```text
//! rpc, jobs ─► app ─► domain
//!               ├───► store ───► domain
//!               ├───► crypto ──► domain
//!               ├───► document ► domain
//!               └───► clients ─► domain
//! ```

mod app;
mod clients;
mod config;
mod crypto;
mod document;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use mesh::{
    App, Base,
    auth::{Admission, Verifier},
    db,
};
use tracing::warn;

use crate::{
    app::Cx,
    clients::{notifications::Notifications, player_data::PlayerDataSources},
};
pub use config::{Args, MessagingArgs, OAuthArgs, Origin};

/// The schema that this build expects.
static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();

/// Builds the service from its arguments.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let config = args.validate(&base.rng, &base.clock)?;
    let owner_url = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner_url, &args.database, &MIGRATOR).await?;
    let chat = base.upstream("svc-chat", &args.chat_url)?;
    let notifications = Notifications::new(chat.clone(), base.shutdown.clone());
    let data_sources = PlayerDataSources {
        wallet: base.upstream("svc-wallet", &args.wallet_url)?,
        games: base.upstream("svc-games", &args.games_url)?,
        tournament: base.upstream("svc-tournament", &args.tournament_url)?,
        chat,
    };
    let cx = Cx::new(&base, &pools, notifications, data_sources, config);
    // The service has the keys, the revocations and the operators itself, and needs no call for
    // them.
    let admission = {
        let cx = cx.clone();
        Admission::new(move |call| {
            let cx = cx.clone();
            Box::pin(async move { Ok(app::admit_operator(&cx, call.try_into()?).await?) })
        })
    };
    let (jwks, revoked) = (cx.access.jwks_json(), cx.revoked.sessions.clone());
    let verifier = Verifier::fixed(base.clock.clone(), jwks, revoked, admission)?;
    // Read before the port opens, so that no call is accepted with the token of a session that
    // another replica has ended.
    app::update_revoked_sessions(&cx).await?;
    if !cx.first_operators.is_empty() {
        warn!("FIRST_OPERATORS have all roles: empty it once two operators keep the list");
    }
    jobs::start(&cx.for_jobs(), &base.shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, pools.readiness()))
}
