//! Which rate windows count a call.
//!
//! A player is counted by id, from any address. A guest is counted by device, if the browser has a
//! device token, and else by network, which thousands of players may share. A network that has used
//! up a window is no wall: its browsers get device tokens for solved captchas (`DEVICE_NEEDED`).

use std::time::Duration;

use http::StatusCode;
use mesh::{Fault, auth::Caller};
use tonic::Code;

use crate::{
    config::{Rate, Rates},
    http::client::Client,
    rate_limiter::{RateKey, RateKind, RateSubject, RateWindow},
    routes::RateClass,
};

/// A device may try passwords and codes, and have messages sent, a tenth as often as a network.
const DEVICE_SHARE: u32 = 10;

/// The window of a call; `None` where nothing is limited.
pub(super) fn window(
    rates: &Rates,
    class: RateClass,
    caller: Caller,
    client: Client,
) -> Option<RateWindow> {
    let (kind, rate) = match (class, caller) {
        // svc-auth counts refreshes by session, and the handler of a score by play session.
        (RateClass::Probe | RateClass::Static | RateClass::Captcha, _) => return None,
        (RateClass::Refresh | RateClass::Score, _) => return None,
        (RateClass::Callback, _) if rates.hook_networks.contains(client.address) => return None,
        (RateClass::Callback, _) => (RateKind::Hook, rates.hook),
        (RateClass::Message, _) => (RateKind::Message, rates.message),
        (RateClass::Reset, _) => (RateKind::Reset, rates.reset),
        (RateClass::Feedback, _) => (RateKind::Feedback, rates.feedback),
        (RateClass::Media, _) => (RateKind::Media, rates.media),
        (RateClass::Light | RateClass::Read, Caller::Player(_)) => (RateKind::Read, rates.read),
        (RateClass::SignIn | RateClass::Code | RateClass::Write, Caller::Player(_)) => {
            (RateKind::Write, rates.write)
        }
        (RateClass::Upload, Caller::Player(_)) => (RateKind::Upload, rates.upload),
        (RateClass::Money, Caller::Player(_)) => (RateKind::Money, rates.money),
        (RateClass::Live, Caller::Player(_)) => (RateKind::Live, rates.live),
        (RateClass::SignIn, _) => (RateKind::SignIn, rates.sign_in),
        (RateClass::Code, _) => (RateKind::Code, rates.code),
        // No service calls the public port; one that did would be a guest.
        (_, Caller::Guest | Caller::Service(_) | Caller::InvalidToken | Caller::Unverified) => {
            (RateKind::Guest, rates.guest)
        }
    };
    let subject = match caller {
        // A message costs the same for a player, and an account costs nothing.
        Caller::Player(player) if !matches!(class, RateClass::Message | RateClass::Reset) => {
            RateSubject::Player(player.id)
        }
        _ => client.subject(),
    };
    Some(limited(kind, rate, subject))
}

/// The window of failed attempts, for a call that tries a password or a code.
pub(super) fn failure_window(
    rates: &Rates,
    class: RateClass,
    caller: Caller,
    client: Client,
) -> Option<RateWindow> {
    let kind = match class {
        RateClass::SignIn => RateKind::SignInFailures,
        RateClass::Code => RateKind::CodeFailures,
        _ => return None,
    };
    let subject = match caller {
        Caller::Player(player) => RateSubject::Player(player.id),
        _ => client.subject(),
    };
    Some(limited(kind, rates.failures, subject))
}

/// A window with the limit of its subject.
fn limited(kind: RateKind, rate: Rate, subject: RateSubject) -> RateWindow {
    let is_device = matches!(subject, RateSubject::Device(_));
    let has_share = is_device && !matches!(kind, RateKind::Guest | RateKind::Media);
    let limit = if has_share { (rate.limit / DEVICE_SHARE).max(1) } else { rate.limit };
    RateWindow { key: RateKey { kind, subject }, rate: Rate { limit, ..rate } }
}

/// The refusal of a call whose window is full for as long as `wait`.
pub(super) fn refusal(window: RateWindow, wait: Duration) -> Fault {
    let by_network = matches!(window.key.subject, RateSubject::Network(_));
    // Pictures are read by pages, and callbacks sent by servers: neither solves captchas.
    if by_network && !matches!(window.key.kind, RateKind::Media | RateKind::Hook) {
        let retry_after = Some(wait);
        return Fault { retry_after, ..Fault::new(Code::ResourceExhausted, "DEVICE_NEEDED") };
    }
    Fault::rate_limited(wait)
}

/// Whether a reply shows that a counted call did not do what its window limits: a message whose
/// request was malformed, or whose captcha was wrong, was not sent.
pub(super) fn is_given_back(class: RateClass, status: StatusCode) -> bool {
    matches!(class, RateClass::Message | RateClass::Reset) && status == StatusCode::BAD_REQUEST
}
