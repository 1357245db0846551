//! Posts the providers' requests to the business: when they are due, again where the
//! provider retries, and after a restart.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;

use crate::clock;
use crate::world::outgoing::Outgoing;
use crate::world::payment::Delivery;
use crate::world::state::Fact;
use crate::world::{Shared, World};

/// How long a provider waits for the reply.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the tasks that post these requests.
pub(crate) fn start(world: &Shared, ids: impl IntoIterator<Item = String>) {
    for id in ids {
        world.tasks.spawn(post_when_due(Arc::clone(world), id));
    }
}

/// Restarts the tasks of requests that were not posted at the last stop.
pub(crate) fn resume(world: &Shared) {
    let left = |state: &crate::world::state::WorldState| -> Vec<String> {
        state.outgoing.iter().filter(|o| !o.is_concluded()).map(|o| o.id.clone()).collect()
    };
    start(world, world.read(left));
}

/// The ids of the requests among these facts.
pub(crate) fn ids(facts: &[Fact]) -> Vec<String> {
    let id = |fact: &Fact| match fact {
        Fact::Outgoing(outgoing) => Some(outgoing.id.clone()),
        _ => None,
    };
    facts.iter().filter_map(id).collect()
}

/// Waits until every request about this payment is posted.
pub(crate) async fn wait_until_posted(world: &World, reference: &str) {
    let mut changes = world.watch();
    loop {
        changes.borrow_and_update();
        let open = |o: &Outgoing| o.reference == reference && !o.is_concluded();
        if !world.read(|state| state.outgoing.iter().any(open)) || changes.changed().await.is_err()
        {
            return;
        }
    }
}

async fn post_when_due(world: Shared, id: String) {
    loop {
        let found = world.read(|state| state.outgoing.iter().find(|o| o.id == id).cloned());
        let Some(outgoing) = found.filter(|outgoing| !outgoing.is_concluded()) else {
            return;
        };
        if outgoing.due_at > clock::now() {
            // The request is read again after the wait, because a reset removes it.
            if !world.wait_until(outgoing.due_at).await {
                return;
            }
            continue;
        }
        // A stop does not cancel this: a posted request must be recorded as posted.
        let status = post(&world.http, &outgoing).await;
        tracing::info!(what = outgoing.what, reference = outgoing.reference, ?status, "posted");
        let delivery = Delivery { at: clock::now(), status };
        world.update(|state| {
            let known = state.outgoing.iter().find(|known| known.id == id).cloned();
            let attempted = known.map(|mut known| {
                known.attempted(delivery);
                Fact::Outgoing(Box::new(known))
            });
            (attempted.into_iter().collect(), ())
        });
    }
}

async fn post(http: &reqwest::Client, outgoing: &Outgoing) -> Option<u16> {
    let mut request = http
        .post(&outgoing.url)
        .header(CONTENT_TYPE, "application/json")
        .timeout(TIMEOUT)
        .body(outgoing.body.clone());
    if let Some(signature) = &outgoing.signature {
        request = request.header("x-paystack-signature", signature);
    }
    match request.send().await {
        Ok(reply) => Some(reply.status().as_u16()),
        Err(error) => {
            // The error is logged without the URL, which holds the receiver's secret.
            tracing::warn!(error = %error.without_url(), "a request was not delivered");
            None
        }
    }
}
