//! Background work: mails, notifications, copies of players' data, deletion of expired rows, erasure
//! of accounts, and the list of revoked sessions.

use std::time::Duration;

use mesh::{Shutdown, jobs::Jobs, outbox::Relay};

use crate::app::{
    self, COLLECT_TOPIC, CONFIRMATION_TOPIC, COPY_READY_TOPIC, Cx, DEVICE_CODE_TOPIC,
    FORMER_MONEY_TOPIC, JOIN_CODE_TOPIC, JOINED_TOPIC, NEW_DEVICE_TOPIC, PASSWORD_CHANGED_TOPIC,
    PAYOUT_PHONE_MAIL_TOPIC, PAYOUT_PHONE_TOPIC, RESET_TOPIC,
};

const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

const ERASURE_INTERVAL: Duration = Duration::from_mins(1);

/// All services refuse the tokens of an ended session within a second of the sign-out.
/// Polling is cheaper here than a notification, which could also be lost.
const REVOKED_SESSIONS_INTERVAL: Duration = Duration::from_millis(250);

/// Starts all jobs. `cx` uses the jobs' pool.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    start_relay(cx, shutdown);
    Jobs::new(cx.clone(), shutdown)
        .every(SWEEP_INTERVAL, "sweep", |cx| async move { app::sweep(&cx).await })
        .every(
            ERASURE_INTERVAL,
            "erase_accounts",
            |cx| async move { app::erase_accounts(&cx).await },
        )
        .every(REVOKED_SESSIONS_INTERVAL, "update_revoked_sessions", |cx| async move {
            app::update_revoked_sessions(&cx).await
        });
}

fn start_relay(cx: &Cx, shutdown: &Shutdown) {
    Relay::new(cx.db.clone(), cx.outbox.clone(), cx.clone())
        .on(RESET_TOPIC, |cx, event| async move { app::mail_reset(&cx, event).await })
        .on(CONFIRMATION_TOPIC, |cx, event| async move { app::mail_confirmation(&cx, event).await })
        .on(PASSWORD_CHANGED_TOPIC, |cx, event| async move {
            app::mail_password_changed(&cx, event).await
        })
        .on(JOINED_TOPIC, |cx, event| async move { app::mail_joined(&cx, event).await })
        .on(DEVICE_CODE_TOPIC, |cx, event| async move { app::mail_device_code(&cx, event).await })
        .on(JOIN_CODE_TOPIC, |cx, event| async move { app::mail_join_code(&cx, event).await })
        .on(
            PAYOUT_PHONE_MAIL_TOPIC,
            |cx, event| async move { app::mail_payout_phone(&cx, event).await },
        )
        .on(NEW_DEVICE_TOPIC, |cx, event| async move { app::notify_new_device(&cx, event).await })
        .on(
            PAYOUT_PHONE_TOPIC,
            |cx, event| async move { app::notify_payout_phone(&cx, event).await },
        )
        .on_long(COLLECT_TOPIC, |cx, event| async move { app::collect_data_copy(&cx, event).await })
        .on(COPY_READY_TOPIC, |cx, event| async move { app::notify_copy_ready(&cx, event).await })
        .on(FORMER_MONEY_TOPIC, |cx, event| async move { app::move_former_money(&cx, event).await })
        .start(shutdown);
}
