//! What goes on without being asked.

use std::time::Duration;

use mesh::{Shutdown, outbox::Relay};
use time::OffsetDateTime;
use tracing::warn;

use crate::app::{self, CONFIRMATION_TOPIC, Cx, JOINED_TOPIC, PASSWORD_CHANGED_TOPIC, RESET_TOPIC};

/// The pause between two rounds of sweeping.
const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

/// The pause between two looks at which sessions have ended. A sign-out is to reach
/// every judge of tokens within a second.
const ENDED_INTERVAL: Duration = Duration::from_millis(250);

/// Starts it all; it ends with the process.
/// `read_to` is how far ended sessions are known.
pub(crate) fn start(cx: &Cx, read_to: OffsetDateTime, shutdown: &Shutdown) {
    mails(cx, shutdown);
    shutdown.spawn("sweep", sweep_until_stop(cx.clone(), shutdown.clone()));
    shutdown.spawn("erasure", erase_until_stop(cx.clone(), shutdown.clone()));
    let watching = watch_revoked_sessions(cx.clone(), read_to, shutdown.clone());
    shutdown.spawn("ended sessions", watching);
}

/// Sends the mails that are owed.
fn mails(cx: &Cx, shutdown: &Shutdown) {
    let (reset, confirmation, changed, joined) = (cx.clone(), cx.clone(), cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.clock.clone(), cx.outbox.clone())
        .on(RESET_TOPIC, move |event| {
            let cx = reset.clone();
            async move { Ok(app::mail_reset(&cx, event).await?) }
        })
        .on(CONFIRMATION_TOPIC, move |event| {
            let cx = confirmation.clone();
            async move { Ok(app::mail_confirmation(&cx, event).await?) }
        })
        .on(PASSWORD_CHANGED_TOPIC, move |event| {
            let cx = changed.clone();
            async move { Ok(app::mail_password_changed(&cx, event).await?) }
        })
        .on(JOINED_TOPIC, move |event| {
            let cx = joined.clone();
            async move { Ok(app::mail_joined(&cx, event).await?) }
        })
        .start(shutdown);
}

/// Reads what has ended, again and again. A query that finds nothing costs less than
/// a word that somebody must send, somebody must hear, and either may miss.
async fn watch_revoked_sessions(cx: Cx, mut read_to: OffsetDateTime, shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(ENDED_INTERVAL) => {}
            () = shutdown.stopping() => return,
        }
        match app::read_ended_sessions(&cx, Some(read_to)).await {
            Ok(at) => read_to = at,
            Err(error) => warn!(%error, "which sessions have ended was not read"),
        }
    }
}

/// Sweeps until nothing is left, then pauses.
async fn sweep_until_stop(cx: Cx, shutdown: Shutdown) {
    while !shutdown.is_stopping() {
        match app::sweep(&cx).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => warn!(%error, "could not sweep; later, then"),
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP_INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}

/// Erases those whose time is over, again and again.
async fn erase_until_stop(cx: Cx, shutdown: Shutdown) {
    while !shutdown.is_stopping() {
        if let Err(error) = app::erase_accounts(&cx).await {
            warn!(%error, "could not erase accounts; later, then");
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP_INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}
