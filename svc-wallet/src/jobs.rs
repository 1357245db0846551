//! Outbox deliveries and repeated jobs.

use std::time::Duration;

use mesh::{
    Shutdown,
    jobs::{self, Round},
    outbox::{Delivery, Event, Relay},
};

use crate::{
    app::{
        self, AIRTIME_NOTICE_TOPIC, AIRTIME_TOPIC, CALLBACK_TOPIC, CARD_EVENT_TOPIC,
        CARD_REFUND_TOPIC, CallbackRef, Credited, Cx, ENDING_TOPIC, Ended, Ending,
        FORMER_MONEY_TOPIC, FormerMoney, NOTIFY_TOPIC, PAYOUT_TOPIC, PUSH_TOPIC, PaymentRef,
        PayoutRef, RETURNED_TOPIC, REVERSAL_TOPIC, RefundRef, Returned, ReversalRef,
        WITHDRAWAL_TOPIC,
    },
    error::Error,
};

/// Pause between two searches for payments that are due, and for packages that end.
const DUE_INTERVAL: Duration = Duration::from_secs(1);

/// Pause between two searches for refunds and charges, which take days.
const REFUND_INTERVAL: Duration = Duration::from_secs(5);

/// Pause between two searches for rows to remove.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);

/// Pause between two proofs of the new postings.
const PROVE_INTERVAL: Duration = Duration::from_secs(30);

/// Pause between two checks whether the whole ledger is due to be proven.
const NIGHT_INTERVAL: Duration = Duration::from_mins(10);

/// Pause between two checks whether a daily job is due.
const DAILY_INTERVAL: Duration = Duration::from_mins(1);

/// Starts all deliveries and jobs. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let (for_push, for_callback, for_notify) = (cx.clone(), cx.clone(), cx.clone());
    let (for_payout, for_ended) = (cx.clone(), cx.clone());
    let (for_event, for_refund) = (cx.clone(), cx.clone());
    let (for_charge, for_notice) = (cx.clone(), cx.clone());
    let (for_returned, for_ending) = (cx.clone(), cx.clone());
    let (for_reversal, for_former) = (cx.clone(), cx.clone());
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(CARD_EVENT_TOPIC, move |event| apply_card_event(for_event.clone(), event))
        .on(CARD_REFUND_TOPIC, move |event| send_refund(for_refund.clone(), event))
        .on(REVERSAL_TOPIC, move |event| send_reversal(for_reversal.clone(), event))
        .on(AIRTIME_TOPIC, move |event| charge_airtime(for_charge.clone(), event))
        .on(AIRTIME_NOTICE_TOPIC, move |event| apply_airtime_notice(for_notice.clone(), event))
        .on(PUSH_TOPIC, move |event| push(for_push.clone(), event))
        .on(PAYOUT_TOPIC, move |event| send_payout(for_payout.clone(), event))
        .on(WITHDRAWAL_TOPIC, move |event| notify_withdrawal(for_ended.clone(), event))
        .on(CALLBACK_TOPIC, move |event| apply_callback(for_callback.clone(), event))
        .on_batches(ENDING_TOPIC, move |event| notify_ending(for_ending.clone(), event))
        .on_batches(NOTIFY_TOPIC, move |event| notify(for_notify.clone(), event))
        .on(RETURNED_TOPIC, move |event| notify_returned(for_returned.clone(), event))
        .on(FORMER_MONEY_TOPIC, move |event| notify_former_money(for_former.clone(), event))
        .start(shutdown);
    repeat("expire", DUE_INTERVAL, cx, shutdown, |cx| async move { app::expire(&cx).await });
    repeat("reconcile", DUE_INTERVAL, cx, shutdown, |cx| async move { app::reconcile(&cx).await });
    repeat("reconcile payouts", DUE_INTERVAL, cx, shutdown, |cx| async move {
        app::reconcile_payouts(&cx).await
    });
    repeat("reconcile reversals", DUE_INTERVAL, cx, shutdown, |cx| async move {
        app::reconcile_reversals(&cx).await
    });
    repeat("prove", PROVE_INTERVAL, cx, shutdown, |cx| async move { app::prove(&cx).await });
    repeat("prove_nightly", NIGHT_INTERVAL, cx, shutdown, |cx| async move {
        app::prove_nightly(&cx).await
    });
    repeat(
        "verify cards",
        DUE_INTERVAL,
        cx,
        shutdown,
        |cx| async move { app::verify_cards(&cx).await },
    );
    repeat("check refunds", REFUND_INTERVAL, cx, shutdown, |cx| async move {
        app::check_refunds(&cx).await
    });
    repeat("give up charges", REFUND_INTERVAL, cx, shutdown, |cx| async move {
        app::give_up_charges(&cx).await
    });
    repeat("find ending packages", DUE_INTERVAL, cx, shutdown, |cx| async move {
        app::find_ending(&cx).await
    });
    repeat("sweep", SWEEP_INTERVAL, cx, shutdown, |cx| async move { app::sweep(&cx).await });
    repeat("match", DAILY_INTERVAL, cx, shutdown, |cx| async move { app::daily_match(&cx).await });
    repeat("measure", DAILY_INTERVAL, cx, shutdown, |cx| async move { app::measure(&cx).await });
}

async fn push(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let PaymentRef { payment } = event.payload()?;
    Ok(app::push(&cx, payment).await?)
}

async fn send_payout(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let payout: PayoutRef = event.payload()?;
    Ok(app::send_payout(&cx, &payout).await?)
}

async fn notify_withdrawal(cx: Cx, event: Event) -> anyhow::Result<()> {
    let ended: Ended = event.payload()?;
    Ok(app::notify_withdrawal(&cx, &ended).await?)
}

async fn notify_ending(cx: Cx, event: Event) -> anyhow::Result<()> {
    let ending: Ending = event.payload()?;
    Ok(app::notify_ending(&cx, &ending).await?)
}

async fn apply_callback(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let CallbackRef { callback } = event.payload()?;
    Ok(app::apply_callback(&cx, callback).await?)
}

async fn apply_card_event(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let CallbackRef { callback } = event.payload()?;
    Ok(app::apply_card_event(&cx, callback).await?)
}

async fn send_refund(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let RefundRef { refund } = event.payload()?;
    Ok(app::send_refund(&cx, refund).await?)
}

async fn send_reversal(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let reversal: ReversalRef = event.payload()?;
    Ok(app::send_reversal(&cx, &reversal).await?)
}

async fn charge_airtime(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let PaymentRef { payment } = event.payload()?;
    Ok(app::charge(&cx, payment).await?)
}

async fn apply_airtime_notice(cx: Cx, event: Event) -> anyhow::Result<Delivery> {
    let CallbackRef { callback } = event.payload()?;
    Ok(app::apply_airtime_notice(&cx, callback).await?)
}

async fn notify(cx: Cx, event: Event) -> anyhow::Result<()> {
    let credited: Credited = event.payload()?;
    Ok(app::notify(&cx, &credited).await?)
}

async fn notify_returned(cx: Cx, event: Event) -> anyhow::Result<()> {
    let returned: Returned = event.payload()?;
    Ok(app::notify_returned(&cx, &returned).await?)
}

async fn notify_former_money(cx: Cx, event: Event) -> anyhow::Result<()> {
    let money: FormerMoney = event.payload()?;
    Ok(app::notify_former_money(&cx, &money).await?)
}

fn repeat<F, Fut>(name: &'static str, pause: Duration, cx: &Cx, shutdown: &Shutdown, job: F)
where
    F: Fn(Cx) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Round, Error>> + Send + 'static,
{
    let cx = cx.clone();
    jobs::start(name, pause, shutdown, move || job(cx.clone()));
}
