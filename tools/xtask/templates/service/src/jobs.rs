//! Background work: the outbox relay and the jobs.

use std::time::Duration;

use mesh::{
    Shutdown, jobs,
    outbox::{Event, Relay},
};

use crate::app::{self, CREATED_TOPIC, Created, Cx};

/// Pause between two looks for {{nouns_words}} that are due to expire.
const EXPIRE_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Starts the relay and the jobs, until the stop.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let own = cx.clone();
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(CREATED_TOPIC, move |event| deliver_created(own.clone(), event))
        .start(shutdown);
    let own = cx.clone();
    jobs::start("expire_{{nouns}}", EXPIRE_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::expire_{{nouns}}(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep(&cx).await }
    });
}

async fn deliver_created(cx: Cx, event: Event) -> anyhow::Result<()> {
    let created: Created = event.payload()?;
    Ok(app::announce_{{noun}}(&cx, created.{{noun}}).await?)
}
