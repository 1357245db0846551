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
    surface::{Class, Route},
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
    if route.class != Class::SignIn {
        return next.run(request).await;
    }
    let failures = Window {
        name: "sign_in_failures",
        rate: gateway.rates().sign_in_failures,
        whose: address.subscriber(),
    };
    if let Err(wait) = limiter.look(&failures).await {
        return refuse(route, Fault::rate_limited(wait));
    }
    let response = next.run(request).await;
    if response.status() == StatusCode::UNAUTHORIZED {
        // It is the next try that a full window turns away.
        let _ = limiter.count(&failures).await;
    }
    response
}

fn window(rates: &Rates, class: Class, caller: Caller, address: ClientAddress) -> Option<Window> {
    let (name, rate) = match (class, caller) {
        (Class::Probe, _) => return None,
        (Class::Callback, _) => ("hook", rates.hook),
        (_, Caller::Guest | Caller::Unusable | Caller::Unjudged) => ("guest", rates.guest),
        (Class::Light | Class::SignIn | Class::Read, Caller::Player(_)) => ("read", rates.read),
        (Class::Write, Caller::Player(_)) => ("write", rates.write),
        (Class::Money, Caller::Player(_)) => ("money", rates.money),
        (Class::Live, Caller::Player(_)) => ("live", rates.live),
    };
    let whose = match caller {
        Caller::Player(player) => player.id.to_string(),
        Caller::Guest | Caller::Unusable | Caller::Unjudged => address.subscriber(),
    };
    Some(Window { name, rate, whose })
}
