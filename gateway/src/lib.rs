//! The only door from outside: plain HTTP with a JSON envelope under `/api`,
//! live streams as grpc-web, providers' callbacks under `/hooks`, players' media
//! under `/media`, and the built web app for everything else.
//!
//! Read [`surface`] first: it is every route on one page. A handler is three
//! moves (envelope in, rpc, envelope out); who may call, how often and how long
//! is the business of [`edge`], by the route's row in that table. No business
//! rule and no database lives here.

pub mod config;
pub mod edge;
pub mod envelope;
mod health;
mod hooks;
mod http;
pub mod live;
pub mod media;
mod router;
mod seats;
mod state;
mod statics;
pub mod surface;
mod upstreams;

use mesh::{App, Base};

pub use config::Args;
pub use state::Gateway;

/// The gateway, not yet listening. Nothing is dialled: neighbours and Redis may
/// come up later, in any order.
#[expect(clippy::unused_async, reason = "mesh::run awaits every service's build")]
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let web_root = args.web_root.clone();
    let gateway = Gateway::new(&base, args)?;
    media::sweep_daily(&gateway);
    let readiness = gateway.upstreams().readiness();
    let (router, full) = (router::build(&gateway, &web_root), router::full(&gateway));
    Ok(App::http(router, full, gateway.crowd(), readiness))
}
