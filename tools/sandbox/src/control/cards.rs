//! Card payments, and what a person does on their page.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};

use super::reply::{ApiError, Body};
use crate::paystack::actions::{self, CardAction, NoAction};
use crate::paystack::return_url;
use crate::world::card::CardPayment;
use crate::world::{Shared, World};

/// Payments that `GET /control/cards` lists.
const MAX_LISTED: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    #[serde(flatten)]
    card: CardPayment,
    /// The hosted page.
    page: String,
    /// The URL that the page returns to.
    return_to: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActionBody {
    action: CardAction,
}

/// `GET /control/cards`: the newest card payments, newest first.
pub(super) async fn list(State(world): State<Shared>) -> Json<Vec<View>> {
    let cards: Vec<CardPayment> =
        world.read(|state| state.cards.iter().rev().take(MAX_LISTED).cloned().collect());
    Json(cards.into_iter().map(|card| view(&world, card)).collect())
}

/// `GET /control/cards/{reference or access code}`
pub(super) async fn get(
    State(world): State<Shared>,
    Path(key): Path<String>,
) -> Result<Json<View>, ApiError> {
    let found = world.read(|state| state.card(&key).cloned());
    let card = found.ok_or_else(|| ApiError::not_found("no card payment has this reference"))?;
    Ok(Json(view(&world, card)))
}

/// `POST /control/cards/{reference or access code}`
pub(super) async fn act(
    State(world): State<Shared>,
    Path(key): Path<String>,
    Body(ActionBody { action }): Body<ActionBody>,
) -> Result<Json<View>, ApiError> {
    let card = actions::act(&world, &key, action).map_err(|error| match error {
        NoAction::Unknown => ApiError::not_found("no card payment has this reference"),
        NoAction::Conflict => ApiError::conflict("the card payment is in another state"),
    })?;
    Ok(Json(view(&world, card)))
}

fn view(world: &World, card: CardPayment) -> View {
    View {
        page: world.link(&format!("/card/{}", card.access_code)),
        return_to: return_url(&card).map(String::from),
        card,
    }
}
