//! Outcomes that tests order for the next payments.

use axum::Json;
use axum::extract::State;

use super::reply::{ApiError, Body};
use crate::world::Shared;
use crate::world::outcome::OutcomeOrder;
use crate::world::state::Fact;

/// `GET /control/outcomes`: the orders that wait, the next one first.
pub(super) async fn list(State(world): State<Shared>) -> Json<Vec<OutcomeOrder>> {
    Json(world.read(|state| state.outcomes.clone()))
}

/// `PUT /control/outcomes`: adds an order.
pub(super) async fn order(
    State(world): State<Shared>,
    Body(order): Body<OutcomeOrder>,
) -> Result<Json<Vec<OutcomeOrder>>, ApiError> {
    order.validate().map_err(ApiError::bad_request)?;
    world.change(|state| {
        if state.outcomes.len() >= OutcomeOrder::MAX_WAITING {
            return Err(ApiError::conflict("too many outcomes wait; DELETE them first"));
        }
        let mut outcomes = state.outcomes.clone();
        outcomes.push(order);
        Ok((vec![Fact::Outcomes(outcomes.clone())], Json(outcomes)))
    })
}

/// `DELETE /control/outcomes`: removes all.
pub(super) async fn clear(State(world): State<Shared>) -> Json<Vec<OutcomeOrder>> {
    world.record([Fact::Outcomes(Vec::new())]);
    Json(Vec::new())
}
