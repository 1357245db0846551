//! Notifies the page of changes; the page then reads the state again.

use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::Semaphore;

use super::reply::ApiError;
use crate::world::Shared;

/// Pages that may watch at a time.
static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(64));

/// Shortest time between two events; a burst of changes is one event.
const MIN_INTERVAL: Duration = Duration::from_millis(80);

/// `GET /control/changes`: server-sent events, the first at once.
pub(super) async fn changes(
    State(world): State<Shared>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let permit = PERMITS.try_acquire().map_err(|_| ApiError::too_many("64 pages watch already"))?;
    let mut changes = world.watch();
    changes.mark_changed();
    let watcher = (world, changes, permit, Duration::ZERO);
    let events = stream::unfold(watcher, |(world, mut changes, permit, pause)| async move {
        tokio::select! {
            result = changes.changed() => result.ok()?,
            () = world.stop.cancelled() => return None,
        }
        tokio::time::sleep(pause).await;
        let version = *changes.borrow_and_update();
        let event = Event::default().event("change").data(version.to_string());
        Some((Ok(event), (world, changes, permit, MIN_INTERVAL)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
