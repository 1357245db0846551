//! Which rate windows count a call.
//!
//! A player is counted by id, from any address. Everyone else is counted by address, which is
//! a last line of defence: carriers have thousands of clients behind one. So each kind of call
//! has a window of its own, a session is refreshed whatever its address (svc-auth counts by
//! session), and a message that was not sent is not counted.

use std::net::IpAddr;

use http::StatusCode;
use mesh::{auth::Caller, http_server::ClientNetwork};

use super::rate_window::{RateKey, RateKind, RateSubject, RateWindow};
use crate::{
    config::{Rate, Rates},
    routes::{Access, RateClass},
};

/// The window of a call; `None` where nothing is limited.
pub(super) fn window(
    rates: &Rates,
    class: RateClass,
    caller: Caller,
    address: IpAddr,
) -> Option<RateWindow> {
    let (kind, rate) = match (class, caller) {
        // A submitted run is counted by its handler (`score_window`).
        (RateClass::Probe | RateClass::Refresh | RateClass::Score, _) => return None,
        (RateClass::Callback, _) if rates.hook_networks.contains(address) => return None,
        (RateClass::Captcha, _) => (RateKind::Captcha, rates.captcha),
        (RateClass::Callback, _) => (RateKind::Hook, rates.hook),
        (RateClass::Message, _) => (RateKind::Message, rates.message),
        (RateClass::Reset, _) => (RateKind::Reset, rates.reset),
        (RateClass::Feedback, _) => (RateKind::Feedback, rates.feedback),
        (RateClass::Media, _) => (RateKind::Media, rates.media),
        (RateClass::Static, _) => (RateKind::Static, rates.files),
        // No service calls the public port; one that did would be a guest.
        (
            RateClass::SignIn,
            Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified,
        ) => (RateKind::SignIn, rates.sign_in),
        (
            RateClass::Code,
            Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified,
        ) => (RateKind::Code, rates.code),
        (_, Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified) => {
            (RateKind::Guest, rates.guest)
        }
        (RateClass::Light | RateClass::Read, Caller::Player(_)) => (RateKind::Read, rates.read),
        (RateClass::SignIn | RateClass::Code | RateClass::Write, Caller::Player(_)) => {
            (RateKind::Write, rates.write)
        }
        (RateClass::Upload, Caller::Player(_)) => (RateKind::Upload, rates.upload),
        (RateClass::Money, Caller::Player(_)) => (RateKind::Money, rates.money),
        (RateClass::Live, Caller::Player(_)) => (RateKind::Live, rates.live),
    };
    let subject = match caller {
        // These classes count a player by address too: a message costs the same for a player, and
        // an account is free.
        Caller::Player(player)
            if !matches!(class, RateClass::Message | RateClass::Reset | RateClass::Captcha) =>
        {
            RateSubject::Player(player.id)
        }
        _ => RateSubject::Network(ClientNetwork::of(address)),
    };
    Some(RateWindow { key: RateKey { kind, subject }, rate })
}

/// Whether a reply shows that a counted call did not do what its window limits: a message whose
/// request was malformed, or whose captcha was wrong, was not sent.
pub(super) fn is_given_back(class: RateClass, status: StatusCode) -> bool {
    matches!(class, RateClass::Message | RateClass::Reset) && status == StatusCode::BAD_REQUEST
}

/// Whether a call beyond its limit passes with a captcha instead of being refused.
pub(super) fn has_price(class: RateClass) -> bool {
    class == RateClass::Reset
}

/// An address is refused after this many times the failures that make it need a captcha.
const FAILURES_REFUSED: u32 = 10;

/// Whether a window of failures has so many that the address is asked for a captcha.
pub(super) fn are_many(rates: &Rates, failures: u64) -> bool {
    failures > u64::from(rates.sign_in_failures.limit)
}

/// The window of failed sign-ins, for a call that tries a password or a code.
pub(super) fn failure_window(
    rates: &Rates,
    class: RateClass,
    access: Access,
    caller: Caller,
    address: IpAddr,
) -> Option<RateWindow> {
    let network = ClientNetwork::of(address);
    // A caller without a token is refused before the password is checked.
    let is_attempt = access != Access::Bearer || matches!(caller, Caller::Player(_));
    let kind = match class {
        RateClass::SignIn => RateKind::SignInFailures,
        RateClass::Code => RateKind::CodeFailures,
        _ => return None,
    };
    let key = RateKey { kind, subject: RateSubject::Network(network) };
    let limit = rates.sign_in_failures.limit.saturating_mul(FAILURES_REFUSED);
    let window = RateWindow { key, rate: Rate { limit, ..rates.sign_in_failures } };
    is_attempt.then_some(window)
}
