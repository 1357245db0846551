//! The window that counts the calls of a game's page for one run.

use sha2::{Digest as _, Sha256};

use super::rate_window::{RateKey, RateKind, RateSubject, RateWindow};
use crate::config::Rates;

/// A ticket has 32 bytes, in base64url.
const TICKET_LENGTH: usize = 43;

/// The window of a run that begins or is submitted, by the ticket of its play session; `None` for a
/// text that is no ticket, which svc-games refuses without looking it up.
pub(crate) fn score_window(rates: &Rates, ticket: &str) -> Option<RateWindow> {
    let subject = RateSubject::PlaySession(Sha256::digest(ticket).into());
    let window = RateWindow { key: RateKey { kind: RateKind::Score, subject }, rate: rates.score };
    (ticket.len() == TICKET_LENGTH).then_some(window)
}
