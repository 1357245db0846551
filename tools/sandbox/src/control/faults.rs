//! Faults that tests order.

use axum::Json;
use axum::extract::State;

use super::reply::{ApiError, Body};
use crate::world::Shared;
use crate::world::fault::Fault;
use crate::world::state::Fact;

/// `GET /control/faults`: the faults that wait, the next one first.
pub(super) async fn list(State(world): State<Shared>) -> Json<Vec<Fault>> {
    Json(world.read(|state| state.faults.clone()))
}

/// `PUT /control/faults`: adds a fault.
pub(super) async fn order(
    State(world): State<Shared>,
    Body(fault): Body<Fault>,
) -> Result<Json<Vec<Fault>>, ApiError> {
    world.change(|state| {
        if state.faults.len() >= Fault::MAX_WAITING {
            return Err(ApiError::conflict("too many faults wait; DELETE them first"));
        }
        let mut faults = state.faults.clone();
        faults.push(fault);
        Ok((vec![Fact::Faults(faults.clone())], Json(faults)))
    })
}

/// `DELETE /control/faults`: removes all.
pub(super) async fn clear(State(world): State<Shared>) -> Json<Vec<Fault>> {
    world.record([Fact::Faults(Vec::new())]);
    Json(Vec::new())
}
