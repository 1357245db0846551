//! Tells the page that something has changed; it looks for itself what.

use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::State as Held;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::Semaphore;

use super::reply::Trouble;
use crate::world::Shared;

/// Pages that may watch at a time.
static SEATS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(64));

/// Shortest time between two events: a burst is one change to the eye.
const PAUSE: Duration = Duration::from_millis(80);

/// `GET /control/changes`: server-sent events, one at once and one a change.
pub(super) async fn changes(
    Held(world): Held<Shared>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Trouble> {
    let seat = SEATS.try_acquire().map_err(|_| Trouble::too_many("64 pages watch already"))?;
    let changes = world.watch();
    let first = true;
    let events = stream::unfold((world, changes, seat, first), |watcher| async move {
        let (world, mut changes, seat, first) = watcher;
        if !first {
            tokio::select! {
                news = changes.changed() => news.ok()?,
                () = world.stop.cancelled() => return None,
            }
            tokio::time::sleep(PAUSE).await;
        }
        let version = *changes.borrow_and_update();
        let event = Event::default().event("change").data(version.to_string());
        Some((Ok(event), (world, changes, seat, false)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
