//! Background work.

use std::time::Duration;

use mesh::{
    Shutdown, jobs,
    outbox::{Delivery, Event, Relay},
};

use crate::app::{self, Cx, FEEDBACK_TOPIC, MENTION_TOPIC, PUSH_TOPIC};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Pause between two checks for accounts that svc-auth erased.
const ERASURE_PAUSE: Duration = Duration::from_mins(5);

/// Pause between two comparisons of counts with memberships.
const CHECK_PAUSE: Duration = Duration::from_hours(1);

/// Starts the jobs, which run until the service stops. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    // One relay for all topics: it reports those that it does not handle.
    let (own, pushing, notifying) = (cx.clone(), cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(FEEDBACK_TOPIC, move |event| {
            let cx = own.clone();
            async move { Ok(app::mail_feedback(&cx, event).await?) }
        })
        .on(MENTION_TOPIC, move |event| notify_mentioned(notifying.clone(), event))
        .on(PUSH_TOPIC, move |event| push(pushing.clone(), event))
        .start(shutdown);
    let own = cx.clone();
    jobs::start("sweep_feedback", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep_feedback(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep_push", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep_push(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep_messages", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep_messages(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep_safety", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep_safety(&cx).await }
    });
    let own = cx.clone();
    jobs::start("erase_players", ERASURE_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::erase_players(&cx).await }
    });
    let own = cx.clone();
    jobs::start("check_counts", CHECK_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::check_counts(&cx).await }
    });
}

async fn push(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let push: app::Push = event.payload()?;
    Ok(app::push(&cx, &push).await?)
}

async fn notify_mentioned(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let mention: app::Mention = event.payload()?;
    Ok(app::notify_mentioned(&cx, &mention).await?)
}
