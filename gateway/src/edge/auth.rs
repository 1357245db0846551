//! Who is calling, and whether they may.

use axum::{
    Extension,
    extract::{Request, State},
    http::header::AUTHORIZATION,
    middleware::Next,
    response::Response,
};
use mesh::auth::Caller;
use tracing::Span;

use super::refuse;
use crate::{
    Gateway,
    surface::{Route, Who},
};

/// Judges the token, and leaves a [`Caller`] with the request. Services judge it
/// again for themselves.
pub async fn identify(
    State(gateway): State<Gateway>,
    Extension(route): Extension<&'static Route>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = match route.who {
        Who::Hook | Who::Public => Caller::Guest,
        Who::Guest | Who::Bearer => {
            let header = request.headers().get(AUTHORIZATION);
            let token = header.and_then(|value| value.to_str().ok());
            gateway.verifier().verify(token).await
        }
    };
    if let Caller::Player(player) = caller {
        Span::current().record("player.id", tracing::field::display(player.id));
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// Turns away whoever the route is not for.
pub async fn admit(
    Extension(route): Extension<&'static Route>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    let admitted = match route.who {
        Who::Guest | Who::Hook | Who::Public => Ok(()),
        Who::Bearer => caller.player().map(|_| ()),
    };
    match admitted {
        Ok(()) => next.run(request).await,
        Err(fault) => refuse(route, fault),
    }
}
