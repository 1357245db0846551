//! The control API, by which tests and the page set up the providers.

mod bank;
mod cards;
mod faults;
mod handsets;
mod mail;
mod outcomes;
mod push;
mod reply;
mod settings;
mod sms;
mod social;
mod watch;

use axum::Router;
use axum::routing::{get, post, put};

use crate::world::Shared;
use reply::ApiError;

/// The routes below `/control`.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/handsets", get(handsets::list))
        .route("/handsets/{msisdn}", put(handsets::put).get(handsets::get))
        .route("/handsets/{msisdn}/prompt", post(handsets::act))
        .route("/sms", get(sms::list))
        .route("/mail", get(mail::list))
        .route("/mail/{id}/html", get(mail::html))
        .route("/accounts", get(social::accounts))
        .route("/accounts/{provider}/{key}", put(social::put))
        .route("/social", get(social::orders).put(social::order))
        .route("/social/rotate", post(social::rotate))
        .route("/bank", get(bank::book))
        .route("/payments", get(bank::payments))
        .route("/payouts", get(bank::payouts))
        .route("/outgoing", get(bank::outgoing))
        .route("/cards", get(cards::list))
        .route("/cards/{key}", get(cards::get).post(cards::act))
        .route("/airtime", get(bank::airtime))
        .route("/push", get(push::list))
        .route("/push/browsers", post(push::subscribe))
        .route("/push/browsers/{id}", get(push::get).put(push::order))
        .route("/float", get(bank::float).put(bank::set_float))
        .route("/outcomes", get(outcomes::list).put(outcomes::order).delete(outcomes::clear))
        .route("/faults", get(faults::list).put(faults::order).delete(faults::clear))
        .route("/settings", get(settings::get).patch(settings::patch))
        .route("/reset", post(settings::reset))
        .route("/changes", get(watch::changes))
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .fallback(async || ApiError::not_found("the control API has no such path; see README.md"))
}
