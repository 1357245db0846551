//! Outbox deliveries and repeated jobs.

use std::time::Duration;

use mesh::{
    Shutdown,
    jobs::{self, Round},
    outbox::{Delivery, Event, Relay},
};

use crate::{
    app::{self, CALLBACK_TOPIC, CallbackRef, Credited, Cx, NOTIFY_TOPIC, PUSH_TOPIC, PaymentRef},
    error::Error,
};

/// Pause between two searches for payments that are due.
const DUE_INTERVAL: Duration = Duration::from_secs(1);

/// Pause between two searches for rows to remove.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);

/// Starts all of them. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let (for_push, for_callback, for_notify) = (cx.clone(), cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(PUSH_TOPIC, move |event| push(for_push.clone(), event))
        .on(CALLBACK_TOPIC, move |event| apply_callback(for_callback.clone(), event))
        .on(NOTIFY_TOPIC, move |event| notify(for_notify.clone(), event))
        .start(shutdown);
    repeat("expire", DUE_INTERVAL, cx, shutdown, |cx| async move { app::expire(&cx).await });
    repeat("reconcile", DUE_INTERVAL, cx, shutdown, |cx| async move { app::reconcile(&cx).await });
    repeat("sweep", SWEEP_INTERVAL, cx, shutdown, |cx| async move { app::sweep(&cx).await });
}

async fn push(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let PaymentRef { payment } = event.payload()?;
    Ok(app::push(&cx, payment).await?)
}

async fn apply_callback(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let CallbackRef { callback } = event.payload()?;
    Ok(app::apply_callback(&cx, callback).await?)
}

async fn notify(cx: Cx, event: Event) -> anyhow::Result<()> {
    let credited: Credited = event.payload()?;
    Ok(app::notify(&cx, &credited).await?)
}

fn repeat<F, Fut>(name: &'static str, pause: Duration, cx: &Cx, shutdown: &Shutdown, job: F)
where
    F: Fn(Cx) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Round, Error>> + Send + 'static,
{
    let cx = cx.clone();
    jobs::start(name, pause, shutdown, move || job(cx.clone()));
}
