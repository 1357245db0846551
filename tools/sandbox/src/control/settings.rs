//! The settings and the reset.

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value};

use super::reply::{ApiError, Body};
use crate::config::Settings;
use crate::world::Shared;
use crate::world::state::Fact;

/// `GET /control/settings`
pub(super) async fn get(State(world): State<Shared>) -> Json<Settings> {
    Json(world.read(|state| state.settings.clone()))
}

/// `PATCH /control/settings`: changes the given settings.
pub(super) async fn patch(
    State(world): State<Shared>,
    Body(changes): Body<Map<String, Value>>,
) -> Result<Json<Settings>, ApiError> {
    world.change(|state| {
        let settings = merged(&state.settings, changes)?;
        Ok((vec![Fact::Settings(settings.clone())], Json(settings)))
    })
}

/// `POST /control/reset`: see [`Fact::Reset`].
pub(super) async fn reset(State(world): State<Shared>) -> Json<Settings> {
    let settings = world.settings.clone();
    world.record([Fact::Reset(settings.clone())]);
    Json(settings)
}

fn merged(settings: &Settings, changes: Map<String, Value>) -> Result<Settings, ApiError> {
    let invalid = |error: serde_json::Error| ApiError::bad_request(error.to_string());
    let mut merged = serde_json::to_value(settings).map_err(invalid)?;
    for (name, value) in changes {
        let known = merged.get_mut(&name);
        *known.ok_or_else(|| ApiError::bad_request(format!("no setting {name:?}")))? = value;
    }
    serde_json::from_value(merged).map_err(invalid)
}
