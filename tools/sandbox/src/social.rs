//! Social sign-in at Google and Facebook: the page where a person chooses an
//! account, and the calls behind it.
//!
//! Google speaks `OpenID` Connect, Facebook its own OAuth 2.0 and the Graph API.
//! README.md lists what is from memory.

mod authorize;
mod client;
mod exchange;
mod facebook;
mod google;
mod id_token;
mod page;
mod secret;

use axum::Router;

use crate::world::Shared;

/// The routes below `/oidc`.
pub(crate) fn routes(world: &Shared) -> Router<Shared> {
    Router::new()
        .nest("/google", google::routes(world.clone()))
        .nest("/facebook", facebook::routes(world.clone()))
}
