//! How often who may call.
//!
//! A player is counted by id, whatever the address; everybody else by address,
//! which is a last line only, since carriers put thousands behind one.

use axum::{
    Extension,
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use mesh::{Fault, auth::Caller};

use super::{address::ClientAddress, refuse, window::Window};
use crate::{
    Gateway,
    config::Rates,
    surface::{Class, Route, Who},
};

/// Counts the call, or turns it away until its window is over.
pub async fn limit(
    State(gateway): State<Gateway>,
    Extension(route): Extension<&'static Route>,
    Extension(caller): Extension<Caller>,
    Extension(address): Extension<ClientAddress>,
    request: Request,
    next: Next,
) -> Response {
    let limiter = gateway.limiter();
    if let Some(window) = window(gateway.rates(), route.class, caller, address)
        && let Err(wait) = limiter.count(&window).await
    {
        return refuse(route, Fault::rate_limited(wait));
    }
    // Who only lacks a token has not tried to sign in.
    let may_try = route.who != Who::Bearer || matches!(caller, Caller::Player(_));
    if route.class != Class::SignIn || !may_try {
        return next.run(request).await;
    }
    let failures = Window {
        name: "sign_in_failures",
        rate: gateway.rates().sign_in_failures,
        whose: address.subscriber(),
    };
    // Before the try, so that many at once do not slip through together.
    if let Err(wait) = limiter.count(&failures).await {
        return refuse(route, Fault::rate_limited(wait));
    }
    let response = next.run(request).await;
    if response.status() != StatusCode::UNAUTHORIZED {
        limiter.give_back(&failures).await;
    }
    response
}

fn window(rates: &Rates, class: Class, caller: Caller, address: ClientAddress) -> Option<Window> {
    let (name, rate) = match (class, caller) {
        (Class::Probe, _) => return None,
        (Class::Callback, _) => ("hook", rates.hook),
        (Class::Message, _) => ("message", rates.message),
        (Class::Media, _) => ("media", rates.media),
        (_, Caller::Guest | Caller::InvalidToken | Caller::Unverified) => ("guest", rates.guest),
        (Class::Light | Class::Read, Caller::Player(_)) => ("read", rates.read),
        (Class::SignIn | Class::Write, Caller::Player(_)) => ("write", rates.write),
        (Class::Upload, Caller::Player(_)) => ("upload", rates.upload),
        (Class::Money, Caller::Player(_)) => ("money", rates.money),
        (Class::Live, Caller::Player(_)) => ("live", rates.live),
    };
    let whose = match caller {
        // A message costs the same whoever asks for it, and an account is cheap.
        Caller::Player(player) if class != Class::Message => player.id.to_string(),
        _ => address.subscriber(),
    };
    Some(Window { name, rate, whose })
}
