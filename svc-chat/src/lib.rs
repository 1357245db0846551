//! svc-chat: chat rooms, and the notifications that services send to players. The README lists its
//! data and its guarantees.
//!
//! ```text
//! rpc ─► app ─► store ─► domain          jobs ─► app ─► clients
//! ```

mod app;
mod clients;
mod config;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use std::sync::Mutex;

use mesh::{
    App, Base, auth::Verifier, db, grpc::erased_players::ErasedPlayers, outbox::OutboxNotifier,
    pubsub::PubSub,
};
use sqlx::migrate::Migrator;

use crate::{
    app::{
        CHANNELS, Cx, Feeds, InboxReader, Inboxes, Inner, MessagePages, MessageReader,
        MessageWriter, NewMessages, RoomHints, SendRate, Words,
    },
    clients::{players::Players, presence::Presence, push::PushClient},
};
pub use config::{Args, PushArgs, SupportArgs};

/// The schema that this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service from its arguments, for `main` and for tests.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let owner = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner, &args.database, &MIGRATOR).await?;
    let auth = base.upstream("svc-auth", &args.auth.auth_url)?;
    let Base { clock, rng, shutdown, .. } = base;
    let verifier = Verifier::remote(clock.clone(), auth.clone(), &shutdown);
    let cx = Cx::new(
        &pools,
        Inner {
            presence: Presence::new(&args.redis_url, clock.clone(), args.presence_interval)?,
            support: args.support.validate()?,
            push: PushClient::new(&args.push, clock.clone())?,
            push_max_age: args.push.push_max_age,
            push_subscription_retention: args.push.push_subscription_retention,
            outbox: OutboxNotifier::default(),
            clock,
            rng,
            pubsub: PubSub::start(&args.redis_url, CHANNELS, &shutdown)?,
            shutdown: shutdown.clone(),
            feeds: Feeds::default(),
            room_hints: RoomHints::default(),
            message_writer: MessageWriter::new(NewMessages(pools.calls.clone()), shutdown.clone()),
            message_reader: MessageReader::new(MessagePages(pools.calls.clone()), shutdown.clone()),
            inbox_reader: InboxReader::new(Inboxes(pools.calls.clone()), shutdown.clone()),
            send_rate: SendRate::new(args.messages_per_room, args.messages_per_player),
            mentions_per_hour: args.mentions_per_hour,
            players: Players::new(auth.clone()),
            erased_players: ErasedPlayers::new(auth),
            words: Words::default(),
            room_names: Mutex::default(),
            message_retention: args.message_retention,
            notification_retention: args.notification_retention,
        },
    );
    jobs::start(&cx.for_jobs(), &shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, pools.readiness()))
}
