//! The switches of the world, and its beginning anew.

use axum::Json;
use axum::extract::State as Held;
use serde_json::{Map, Value};

use super::reply::{Body, Trouble};
use crate::config::Settings;
use crate::world::Shared;
use crate::world::state::Fact;

/// `GET /control/settings`
pub(super) async fn get(Held(world): Held<Shared>) -> Json<Settings> {
    Json(world.read(|state| state.settings.clone()))
}

/// `PATCH /control/settings`: what is named changes, the rest stays.
pub(super) async fn patch(
    Held(world): Held<Shared>,
    Body(changes): Body<Map<String, Value>>,
) -> Result<Json<Settings>, Trouble> {
    world
        .change(|state| {
            let settings = merged(&state.settings, changes)?;
            Ok((vec![Fact::Settings(settings.clone())], Json(settings)))
        })
        .await
}

/// `POST /control/reset`: nobody has a handset, an account or mail, nothing was
/// paid, nothing is wrong; switches as at the start. What clients hold stays
/// good, as their world goes on.
pub(super) async fn reset(Held(world): Held<Shared>) -> Result<Json<Settings>, Trouble> {
    let settings = world.settings.clone();
    world.change(|_| Ok((vec![Fact::Reset(settings.clone())], Json(settings)))).await
}

fn merged(settings: &Settings, changes: Map<String, Value>) -> Result<Settings, Trouble> {
    let whole = serde_json::to_value(settings);
    let mut whole = whole.map_err(|error| Trouble::bad_request(error.to_string()))?;
    for (name, value) in changes {
        let known = whole.get_mut(&name);
        *known.ok_or_else(|| Trouble::bad_request(format!("no setting {name:?}")))? = value;
    }
    serde_json::from_value(whole).map_err(|error| Trouble::bad_request(error.to_string()))
}
