//! Background work.

use std::time::Duration;

use mesh::{Shutdown, jobs::Jobs, outbox::Relay};

use crate::app::{self, Cx, FEEDBACK_TOPIC, MENTION_TOPIC, Mention, PUSH_TOPIC, Push};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Pause between two checks for accounts that svc-auth erased.
const ERASURE_PAUSE: Duration = Duration::from_mins(5);

/// Pause between two comparisons of counts with memberships.
const CHECK_PAUSE: Duration = Duration::from_hours(1);

/// Starts the jobs, which run until the service stops. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    // One relay for all topics: it reports those that it does not handle.
    Relay::new(cx.db.clone(), cx.outbox.clone(), cx.clone())
        .on(FEEDBACK_TOPIC, |cx, event| async move { app::mail_feedback(&cx, event).await })
        .on(MENTION_TOPIC, |cx, mention: Mention| async move {
            app::notify_mentioned(&cx, &mention).await
        })
        .on(PUSH_TOPIC, |cx, push: Push| async move { app::push(&cx, &push).await })
        .start(shutdown);
    Jobs::new(cx.clone(), shutdown)
        .every(SWEEP_PAUSE, "sweep_feedback", |cx| async move { app::sweep_feedback(&cx).await })
        .every(SWEEP_PAUSE, "sweep_push", |cx| async move { app::sweep_push(&cx).await })
        .every(SWEEP_PAUSE, "sweep", |cx| async move { app::sweep(&cx).await })
        .every(SWEEP_PAUSE, "sweep_messages", |cx| async move { app::sweep_messages(&cx).await })
        .every(SWEEP_PAUSE, "sweep_safety", |cx| async move { app::sweep_safety(&cx).await })
        .every(ERASURE_PAUSE, "erase_players", |cx| async move { app::erase_players(&cx).await })
        .every(CHECK_PAUSE, "check_counts", |cx| async move { app::check_counts(&cx).await });
}
