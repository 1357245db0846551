//! Outbox deliveries and repeated jobs.

use std::time::Duration;

use mesh::{
    Shutdown,
    jobs::{Jobs, Round},
    outbox::Relay,
};

use crate::{
    app::{
        self, AWARD_TOPIC, Begun, CashWon, Cx, NOTIFY_TOPIC, RESERVATION_TOPIC, Reserved,
        START_TOPIC, TournamentEnded,
    },
    error::Error,
};

/// Pause between two searches for tournaments that are over.
const SETTLE_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two searches for awards to screen.
const SCREEN_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two searches for awards that are due.
const PAY_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two searches for tournaments that have begun.
const START_PAUSE: Duration = Duration::from_secs(1);
/// Pause between two counts of players; with the count itself, below the 15 s of the contract.
const COUNT_PAUSE: Duration = Duration::from_secs(10);
/// Pause between two searches for boards that are not used.
const EVICT_PAUSE: Duration = Duration::from_mins(1);

/// Pause between two measurements of overdue awards.
const MEASURE_PAUSE: Duration = Duration::from_secs(30);
/// Pause between two sweeps of changes.
const SWEEP_PAUSE: Duration = Duration::from_mins(1);

/// Starts all deliveries and jobs. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    Relay::new(cx.db.clone(), cx.outbox.clone(), cx.clone())
        .on(AWARD_TOPIC, |cx, won: CashWon| async move { app::pay_award(&cx, &won).await })
        .on(RESERVATION_TOPIC, |cx, reserved: Reserved| async move {
            app::match_reservation(&cx, &reserved).await
        })
        .on_batches(NOTIFY_TOPIC, |cx, outcome: TournamentEnded| async move {
            app::notify(&cx, &outcome).await
        })
        .on_batches(
            START_TOPIC,
            |cx, begun: Begun| async move { app::notify_begun(&cx, &begun).await },
        )
        .start(shutdown);
    Jobs::new(cx.clone(), shutdown)
        .every(SETTLE_PAUSE, "settle", settle)
        .every(SCREEN_PAUSE, "screen_awards", |cx| async move { app::screen_awards(&cx).await })
        .every(PAY_PAUSE, "pay_due_awards", |cx| async move { app::pay_due_awards(&cx).await })
        .every(START_PAUSE, "notify_starts", |cx| async move { app::notify_starts(&cx).await })
        .every(COUNT_PAUSE, "count_players", |cx| async move { app::count_players(&cx).await })
        .every(MEASURE_PAUSE, "measure_awards", |cx| async move { app::measure_awards(&cx).await })
        .every(SWEEP_PAUSE, "sweep_changes", |cx| async move { app::sweep_changes(&cx).await })
        .every(EVICT_PAUSE, "evict_boards", |cx| async move { app::evict_boards(&cx).await });
}

/// Continues settlements as far as possible, and then notifies a batch of players, also when the
/// settlement fails because svc-games is out of reach.
async fn settle(cx: Cx) -> Result<Round, Error> {
    let settled = app::settle(&cx).await;
    let notified = app::notify_results(&cx).await?;
    if notified == Round::More { Ok(notified) } else { settled }
}
