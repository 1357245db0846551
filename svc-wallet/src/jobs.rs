//! What goes on without being asked.

use std::time::Duration;

use mesh::{
    Shutdown,
    outbox::{Delivery, Event, Relay},
};
use tracing::warn;

use crate::{
    app::{self, About, CALLBACK_TOPIC, CHANGED_TOPIC, Cx, PUSH_TOPIC},
    error::Error,
};

/// How often payments are looked through for what is due.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How often what is old is looked for.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);

/// Tries to tell live news before it is too old to be worth it.
const NEWS_TRIES: i32 = 3;

/// Starts them all.
pub fn start(cx: &Cx, shutdown: &Shutdown) {
    // Relays of their own, so that a slow Daraja holds up no news.
    let own = cx.clone();
    relay(cx).on(CHANGED_TOPIC, move |event| changed(own.clone(), event)).start(shutdown);
    let own = cx.clone();
    relay(cx).on(PUSH_TOPIC, move |event| push(own.clone(), event)).start(shutdown);
    let own = cx.clone();
    relay(cx).on(CALLBACK_TOPIC, move |event| callback(own.clone(), event)).start(shutdown);
    repeat("expire", LOOK_INTERVAL, cx, shutdown, |cx| async move { app::expire(&cx).await });
    repeat("reconcile", LOOK_INTERVAL, cx, shutdown, |cx| async move { app::reconcile(&cx).await });
    repeat("sweep", SWEEP_INTERVAL, cx, shutdown, |cx| async move { app::sweep(&cx).await });
}

async fn changed(cx: Cx, event: Event) -> anyhow::Result<()> {
    let about: About = event.payload()?;
    match cx.live.say(&app::live_channel(about.payment), "").await {
        // Stale news is no news. While Redis is away watchers look by themselves; where
        // it is there and takes no news, they see it at their next look or opening.
        Err(error) if event.attempt >= NEWS_TRIES => {
            warn!(error = format!("{error:#}"), "live news was lost");
            Ok(())
        }
        said => said,
    }
}

async fn push(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let about: About = event.payload()?;
    Ok(app::push(&cx, about.payment).await?)
}

async fn callback(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    Ok(app::apply_callback(&cx, event.payload()?).await?)
}

fn relay(cx: &Cx) -> Relay {
    Relay::new(cx.pool.clone(), cx.clock.clone(), cx.outbox.clone())
}

/// Does a job until nothing is left of it, then pauses, until the stop.
fn repeat<F, Fut>(name: &'static str, pause: Duration, cx: &Cx, shutdown: &Shutdown, job: F)
where
    F: Fn(Cx) -> Fut + Send + 'static,
    Fut: Future<Output = Result<bool, Error>> + Send,
{
    let (cx, stop) = (cx.clone(), shutdown.clone());
    shutdown.spawn(name, async move {
        while !stop.is_stopping() {
            match job(cx.clone()).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => warn!(job = name, %error, "a job was not done; later, then"),
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = stop.stopping() => {}
            }
        }
    });
}
