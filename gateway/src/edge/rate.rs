//! Which rate windows count a call.
//!
//! A player is counted by id, from any address. Everybody else is counted by address,
//! which is a last line of defence: carriers have thousands of clients behind one.

use mesh::{auth::Caller, http_server::ClientNetwork};

use super::rate_window::{RateKey, RateKind, RateSubject, RateWindow};
use crate::{
    config::Rates,
    routes::{Access, RateClass},
};

/// The window of a call; `None` where nothing is limited.
pub(super) fn window(
    rates: &Rates,
    class: RateClass,
    caller: Caller,
    network: ClientNetwork,
) -> Option<RateWindow> {
    let (kind, rate) = match (class, caller) {
        (RateClass::Probe, _) => return None,
        (RateClass::Callback, _) => (RateKind::Hook, rates.hook),
        (RateClass::Message, _) => (RateKind::Message, rates.message),
        (RateClass::Feedback, _) => (RateKind::Feedback, rates.feedback),
        (RateClass::Media, _) => (RateKind::Media, rates.media),
        (RateClass::Static, _) => (RateKind::Static, rates.files),
        // No service calls the public port; one that did would be a guest.
        (_, Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified) => {
            (RateKind::Guest, rates.guest)
        }
        (RateClass::Light | RateClass::Read, Caller::Player(_)) => (RateKind::Read, rates.read),
        (RateClass::SignIn | RateClass::Write, Caller::Player(_)) => (RateKind::Write, rates.write),
        (RateClass::Upload, Caller::Player(_)) => (RateKind::Upload, rates.upload),
        (RateClass::Money, Caller::Player(_)) => (RateKind::Money, rates.money),
        (RateClass::Live, Caller::Player(_)) => (RateKind::Live, rates.live),
    };
    let subject = match caller {
        // A message costs the same for a player, and an account costs nothing.
        Caller::Player(player) if class != RateClass::Message => RateSubject::Player(player.id),
        _ => RateSubject::Network(network),
    };
    Some(RateWindow { key: RateKey { kind, subject }, rate })
}

/// The window of failed sign-ins, for a call that tries a password or a code.
pub(super) fn failure_window(
    rates: &Rates,
    class: RateClass,
    access: Access,
    caller: Caller,
    network: ClientNetwork,
) -> Option<RateWindow> {
    // A caller without a token is refused before the password is checked.
    let is_attempt = access != Access::Bearer || matches!(caller, Caller::Player(_));
    let key = RateKey { kind: RateKind::SignInFailures, subject: RateSubject::Network(network) };
    let window = RateWindow { key, rate: rates.sign_in_failures };
    (class == RateClass::SignIn && is_attempt).then_some(window)
}
