//! Orders for trouble.

use axum::Json;
use axum::extract::State as Held;

use super::reply::{Body, Trouble};
use crate::world::Shared;
use crate::world::fault::Fault;
use crate::world::state::Fact;

/// `GET /control/faults`: what is still to be suffered, next first.
pub(super) async fn list(Held(world): Held<Shared>) -> Json<Vec<Fault>> {
    Json(world.read(|state| state.faults.clone()))
}

/// `PUT /control/faults`: one more.
pub(super) async fn order(
    Held(world): Held<Shared>,
    Body(fault): Body<Fault>,
) -> Result<Json<Vec<Fault>>, Trouble> {
    let faults = world
        .change(|state| {
            if state.faults.len() >= Fault::MAX_WAITING {
                return Err(Trouble::conflict("too many faults wait; DELETE them first"));
            }
            let mut faults = state.faults.clone();
            faults.push(fault);
            Ok((vec![Fact::Faults(faults.clone())], faults))
        })
        .await?;
    Ok(Json(faults))
}

/// `DELETE /control/faults`: all is well again.
pub(super) async fn clear(Held(world): Held<Shared>) -> Result<Json<Vec<Fault>>, Trouble> {
    world.change(|_| Ok((vec![Fact::Faults(Vec::new())], Json(Vec::new())))).await
}
