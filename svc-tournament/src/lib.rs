//! svc-tournament: contests over a span of time. The README lists its data and its guarantees.
//!
//! ```text
//! rpc, jobs ─► app ─► store, board, clients ─► domain
//! ```

mod app;
mod board;
mod clients;
mod config;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use mesh::{App, Base, auth::Verifier, db, outbox::OutboxNotifier, pubsub::PubSub};
use sqlx::migrate::Migrator;
use types::Money;

use crate::{
    app::{Cx, Inner, ScoreWriter, Scores, StandingsPublisher},
    board::{Shelf, final_boards},
    clients::{games::Games, notifications::Notifications, persons::Persons, wallets::Wallets},
};
pub use config::Args;

/// The schema that this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service from its arguments, for `main` and for tests.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let owner = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner, &args.database, &MIGRATOR).await?;
    let auth = base.upstream("svc-auth", &args.auth.auth_url)?;
    let games = base.upstream("svc-games", &args.games_url)?;
    let wallet = base.upstream("svc-wallet", &args.wallet_url)?;
    let chat = base.upstream("svc-chat", &args.chat_url)?;
    let Base { clock, rng, shutdown, .. } = base;
    let verifier = Verifier::remote(clock.clone(), auth.clone(), &shutdown);
    let readiness = pools.readiness();
    let pubsub = PubSub::start(&args.redis_url, app::STANDING_CHANNELS, &shutdown)?;
    let scores = ScoreWriter::new(Scores(pools.calls.clone()), shutdown.clone());
    let cx = Cx::new(
        pools,
        Inner {
            final_boards: final_boards(clock.clone()),
            clock,
            rng,
            shutdown: shutdown.clone(),
            scores,
            boards: Shelf::new(args.board_entries),
            standings: StandingsPublisher::new(pubsub.clone(), shutdown.clone()),
            pubsub,
            outbox: OutboxNotifier::default(),
            games: Games::new(games),
            wallets: Wallets::new(wallet),
            persons: Persons::new(auth),
            notifications: Notifications::new(chat, shutdown.clone()),
            award_hold: args.award_hold,
            cash_confirmed_over: Money::from_shillings(args.cash_confirmed_over),
            cash_alone_a_day: Money::from_shillings(args.cash_alone_a_day),
        },
    );
    jobs::start(&cx.for_jobs(), &shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, readiness))
}
