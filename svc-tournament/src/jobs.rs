//! Outbox deliveries and repeated jobs.

use std::time::Duration;

use mesh::{
    Shutdown,
    jobs::{self, Round},
    outbox::{Event, Relay},
};

use crate::{
    app::{self, AWARD_TOPIC, Begun, CashWon, Cx, NOTIFY_TOPIC, Outcome, START_TOPIC},
    error::Error,
};

/// Pause between two searches for tournaments that are over.
const SETTLE_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two searches for tournaments that have begun.
const START_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two counts of players; with the count itself, below the 15 s of the contract.
const COUNT_PAUSE: Duration = Duration::from_secs(10);
/// Pause between two searches for boards that are not used.
const EVICT_PAUSE: Duration = Duration::from_mins(1);

/// Pause between two sweeps of changes.
const SWEEP_PAUSE: Duration = Duration::from_mins(1);

/// Starts all deliveries and jobs. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let (for_award, for_notify, for_begun) = (cx.clone(), cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(AWARD_TOPIC, move |event| pay_award(for_award.clone(), event))
        .on_batches(NOTIFY_TOPIC, move |event| notify(for_notify.clone(), event))
        .on_batches(START_TOPIC, move |event| notify_begun(for_begun.clone(), event))
        .start(shutdown);
    repeat("settle", SETTLE_PAUSE, cx, shutdown, settle);
    repeat("notify_starts", START_PAUSE, cx, shutdown, |cx| async move {
        app::notify_starts(&cx).await
    });
    repeat("count_players", COUNT_PAUSE, cx, shutdown, |cx| async move {
        app::count_players(&cx).await
    });
    repeat("sweep_changes", SWEEP_PAUSE, cx, shutdown, |cx| async move {
        app::sweep_changes(&cx).await
    });
    repeat(
        "evict_boards",
        EVICT_PAUSE,
        cx,
        shutdown,
        |cx| async move { app::evict_boards(&cx).await },
    );
}

/// Continues settlements as far as possible, and then notifies a batch of players, also when the
/// settlement fails because svc-games is out of reach.
async fn settle(cx: Cx) -> Result<Round, Error> {
    let settled = app::settle(&cx).await;
    let notified = app::notify_results(&cx).await?;
    if notified == Round::More { Ok(notified) } else { settled }
}

async fn pay_award(cx: Cx, event: Event) -> anyhow::Result<()> {
    let won: CashWon = event.payload()?;
    Ok(app::pay_award(&cx, &won).await?)
}

async fn notify(cx: Cx, event: Event) -> anyhow::Result<()> {
    let outcome: Outcome = event.payload()?;
    Ok(app::notify(&cx, &outcome).await?)
}

async fn notify_begun(cx: Cx, event: Event) -> anyhow::Result<()> {
    let begun: Begun = event.payload()?;
    Ok(app::notify_begun(&cx, &begun).await?)
}

fn repeat<F, Fut>(name: &'static str, pause: Duration, cx: &Cx, shutdown: &Shutdown, job: F)
where
    F: Fn(Cx) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Round, Error>> + Send + 'static,
{
    let cx = cx.clone();
    jobs::start(name, pause, shutdown, move || job(cx.clone()));
}
