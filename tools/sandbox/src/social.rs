//! Google and Facebook, as far as PlayOn asks them who somebody is: the page
//! where a person chooses an account, and the calls behind it.
//!
//! Google speaks `OpenID` Connect; Facebook speaks its own OAuth 2.0 with the
//! person behind Graph. README.md lists what is remembered rather than
//! documented.

mod authorize;
mod exchange;
mod facebook;
mod google;
mod id_token;
mod page;

use axum::Router;

use crate::world::Shared;

/// Everything below `/oidc`.
pub(crate) fn routes(world: &Shared) -> Router<Shared> {
    Router::new()
        .nest("/google", google::routes(world.clone()))
        .nest("/facebook", facebook::routes(world.clone()))
}

/// A secret that nobody guesses: 256 bits.
fn secret() -> String {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}
