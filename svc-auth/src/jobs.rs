//! Background work: mails, notifications, copies of players' data, deletion of expired rows, erasure
//! of accounts, and the list of revoked sessions.

use std::time::Duration;

use mesh::{Shutdown, jobs, outbox::Relay};

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
    let sweep = cx.clone();
    jobs::start("sweep", SWEEP_INTERVAL, shutdown, move || {
        let cx = sweep.clone();
        async move { app::sweep(&cx).await }
    });
    let erasure = cx.clone();
    jobs::start("erasure", ERASURE_INTERVAL, shutdown, move || {
        let cx = erasure.clone();
        async move { app::erase_accounts(&cx).await }
    });
    let revoked = cx.clone();
    jobs::start("revoked sessions", REVOKED_SESSIONS_INTERVAL, shutdown, move || {
        let cx = revoked.clone();
        async move { app::update_revoked_sessions(&cx).await }
    });
}

fn start_relay(cx: &Cx, shutdown: &Shutdown) {
    let (reset, confirmation, changed, joined) = (cx.clone(), cx.clone(), cx.clone(), cx.clone());
    let (device_code, join_code, payout_phone_mail) = (cx.clone(), cx.clone(), cx.clone());
    let (new_device, payout_phone) = (cx.clone(), cx.clone());
    let (collect, copy_ready, former_money) = (cx.clone(), cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.outbox.clone())
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
        .on(DEVICE_CODE_TOPIC, move |event| {
            let cx = device_code.clone();
            async move { Ok(app::mail_device_code(&cx, event).await?) }
        })
        .on(JOIN_CODE_TOPIC, move |event| {
            let cx = join_code.clone();
            async move { Ok(app::mail_join_code(&cx, event).await?) }
        })
        .on(PAYOUT_PHONE_MAIL_TOPIC, move |event| {
            let cx = payout_phone_mail.clone();
            async move { Ok(app::mail_payout_phone(&cx, event).await?) }
        })
        .on(NEW_DEVICE_TOPIC, move |event| {
            let cx = new_device.clone();
            async move { Ok(app::notify_new_device(&cx, event).await?) }
        })
        .on(PAYOUT_PHONE_TOPIC, move |event| {
            let cx = payout_phone.clone();
            async move { Ok(app::notify_payout_phone(&cx, event).await?) }
        })
        .on_long(COLLECT_TOPIC, move |event| {
            let cx = collect.clone();
            async move { Ok(app::collect_data_copy(&cx, event).await?) }
        })
        .on(COPY_READY_TOPIC, move |event| {
            let cx = copy_ready.clone();
            async move { Ok(app::notify_copy_ready(&cx, event).await?) }
        })
        .on(FORMER_MONEY_TOPIC, move |event| {
            let cx = former_money.clone();
            async move { Ok(app::move_former_money(&cx, event).await?) }
        })
        .start(shutdown);
}
