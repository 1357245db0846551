//! The public entry point of PlayOn: JSON in an envelope under `/api`, live streams as
//! grpc-web, providers' callbacks under `/hooks`, players' media under `/media`, and the
//! built web app for every other path.
//!
//! Read [`routes`] first: it is every route in one table. A handler decodes the request,
//! calls one RPC and encodes the reply; access, rate limits and deadlines are applied in
//! [`edge`], by the route's row. No business rule and no database lives here.

pub mod api_document;
pub mod config;
pub mod edge;
pub mod envelope;
mod field_names;
mod games_site;
mod headers;
mod health;
mod hooks;
mod http;
mod language;
pub mod live;
pub mod media;
mod media_sweep;
pub mod openapi;
mod outage;
mod panic;
mod public_players;
mod rate_limiter;
mod router;
pub mod routes;
mod state;
mod static_files;
mod upstreams;
mod web_app;

use mesh::{App, Base};

pub use config::Args;
pub use state::Gateway;

/// Builds the gateway, which does not listen yet. No upstream is dialled: they and Redis
/// may start later, in any order.
#[expect(clippy::unused_async, reason = "`mesh::run` awaits what builds a service")]
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let games = games_site::listen(&args.games)?;
    let gateway = Gateway::new(&base, args)?;
    media_sweep::sweep_daily(&gateway);
    let readiness = health::readiness(&gateway);
    let server = gateway.http_server(router::build(&gateway));
    Ok(match games {
        Some(listener) => {
            let games = gateway.http_server(games_site::router(&gateway)?);
            App::two_origins(server, (listener, games), readiness)
        }
        None => App::http(server, readiness),
    })
}
