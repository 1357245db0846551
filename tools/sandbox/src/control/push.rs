//! Browsers, and what was pushed to them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::reply::{ApiError, Body};
use crate::clock;
use crate::push_message::{Keys, random_id};
use crate::world::Shared;
use crate::world::push::{Answer, Browser, Pushed};
use crate::world::state::Fact;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Subscribe {
    application_server_key: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Order {
    /// The reply to the next messages; with `null` messages are accepted again.
    answer: Option<Answer>,
}

/// A browser, with its subscription as `PushSubscription.toJSON()` gives it.
#[derive(Serialize)]
pub(super) struct View {
    id: String,
    attempts: u64,
    answer: Option<Answer>,
    subscription: Subscription,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Subscription {
    endpoint: String,
    expiration_time: Option<u64>,
    keys: PublicKeys,
}

#[derive(Serialize)]
struct PublicKeys {
    p256dh: String,
    auth: String,
}

impl View {
    fn of(world: &Shared, browser: Browser) -> Self {
        let Browser { id, keys, attempts, answer, .. } = browser;
        let endpoint = world.link(&format!("/push/{id}"));
        let keys = PublicKeys { p256dh: keys.p256dh, auth: keys.auth };
        Self {
            id,
            attempts,
            answer,
            subscription: Subscription { endpoint, expiration_time: None, keys },
        }
    }
}

/// `GET /control/push`: messages that arrived, newest first.
pub(super) async fn list(State(world): State<Shared>) -> Json<Vec<Pushed>> {
    Json(world.read(|state| state.pushed.iter().rev().cloned().collect()))
}

/// `POST /control/push/browsers` {applicationServerKey?}: a browser that subscribes.
pub(super) async fn subscribe(
    State(world): State<Shared>,
    Body(Subscribe { application_server_key: server_key }): Body<Subscribe>,
) -> (StatusCode, Json<View>) {
    let (id, keys) = (random_id(), Keys::generate());
    let browser =
        Browser { id, keys, server_key, attempts: 0, answer: None, used_at: clock::now() };
    world.record([Fact::Browser(Box::new(browser.clone()))]);
    (StatusCode::CREATED, Json(View::of(&world, browser)))
}

/// `GET /control/push/browsers/{id}`.
pub(super) async fn get(
    State(world): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<View>, ApiError> {
    let browser = world.read(|state| state.browsers.get(&id).cloned());
    let browser = browser.ok_or_else(|| ApiError::not_found("no such browser"))?;
    Ok(Json(View::of(&world, browser)))
}

/// `PUT /control/push/browsers/{id}` {answer: {status, retryAfter?, count?}}: the reply to
/// the next messages.
pub(super) async fn order(
    State(world): State<Shared>,
    Path(id): Path<String>,
    Body(Order { answer }): Body<Order>,
) -> Result<Json<View>, ApiError> {
    if answer.as_ref().is_some_and(|answer| !(400..600).contains(&answer.status)) {
        return Err(ApiError::bad_request("status is 400 to 599"));
    }
    let browser = world.change(|state| {
        let browser =
            state.browsers.get(&id).ok_or_else(|| ApiError::not_found("no such browser"))?;
        let browser = Browser { answer, ..browser.clone() };
        Ok::<_, ApiError>((vec![Fact::Browser(Box::new(browser.clone()))], browser))
    })?;
    Ok(Json(View::of(&world, browser)))
}
