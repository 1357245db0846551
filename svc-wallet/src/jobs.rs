//! Outbox deliveries and repeated jobs.

use std::time::Duration;

use mesh::{Shutdown, jobs::Jobs, outbox::Relay};

use crate::app::{
    self, AIRTIME_NOTICE_TOPIC, AIRTIME_TOPIC, CALLBACK_TOPIC, CARD_EVENT_TOPIC, CARD_REFUND_TOPIC,
    CallbackRef, Credited, Cx, ENDING_TOPIC, Ended, Ending, FORMER_MONEY_TOPIC, FormerMoney,
    NOTIFY_TOPIC, PAYOUT_TOPIC, PUSH_TOPIC, PaymentRef, PayoutRef, RETURNED_TOPIC, REVERSAL_TOPIC,
    RefundRef, Returned, ReversalRef, WITHDRAWAL_TOPIC,
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
    Relay::new(cx.db.clone(), cx.outbox.clone(), cx.clone())
        .on(CARD_EVENT_TOPIC, |cx, CallbackRef { callback }| async move {
            app::apply_card_event(&cx, callback).await
        })
        .on(CARD_REFUND_TOPIC, |cx, RefundRef { refund }| async move {
            app::send_refund(&cx, refund).await
        })
        .on(REVERSAL_TOPIC, |cx, reversal: ReversalRef| async move {
            app::send_reversal(&cx, &reversal).await
        })
        .on(
            AIRTIME_TOPIC,
            |cx, PaymentRef { payment }| async move { app::charge(&cx, payment).await },
        )
        .on(AIRTIME_NOTICE_TOPIC, |cx, CallbackRef { callback }| async move {
            app::apply_airtime_notice(&cx, callback).await
        })
        .on(PUSH_TOPIC, |cx, PaymentRef { payment }| async move { app::push(&cx, payment).await })
        .on(
            PAYOUT_TOPIC,
            |cx, payout: PayoutRef| async move { app::send_payout(&cx, &payout).await },
        )
        .on(WITHDRAWAL_TOPIC, |cx, ended: Ended| async move {
            app::notify_withdrawal(&cx, &ended).await
        })
        .on(CALLBACK_TOPIC, |cx, CallbackRef { callback }| async move {
            app::apply_callback(&cx, callback).await
        })
        .on_batches(ENDING_TOPIC, |cx, ending: Ending| async move {
            app::notify_ending(&cx, &ending).await
        })
        .on_batches(NOTIFY_TOPIC, |cx, credited: Credited| async move {
            app::notify(&cx, &credited).await
        })
        .on(RETURNED_TOPIC, |cx, returned: Returned| async move {
            app::notify_returned(&cx, &returned).await
        })
        .on(FORMER_MONEY_TOPIC, |cx, money: FormerMoney| async move {
            app::notify_former_money(&cx, &money).await
        })
        .start(shutdown);
    Jobs::new(cx.clone(), shutdown)
        .every(DUE_INTERVAL, "expire", |cx| async move { app::expire(&cx).await })
        .every(DUE_INTERVAL, "reconcile", |cx| async move { app::reconcile(&cx).await })
        .every(
            DUE_INTERVAL,
            "reconcile_payouts",
            |cx| async move { app::reconcile_payouts(&cx).await },
        )
        .every(DUE_INTERVAL, "reconcile_reversals", |cx| async move {
            app::reconcile_reversals(&cx).await
        })
        .every(PROVE_INTERVAL, "prove", |cx| async move { app::prove(&cx).await })
        .every(NIGHT_INTERVAL, "prove_nightly", |cx| async move { app::prove_nightly(&cx).await })
        .every(DUE_INTERVAL, "verify_cards", |cx| async move { app::verify_cards(&cx).await })
        .every(REFUND_INTERVAL, "check_refunds", |cx| async move { app::check_refunds(&cx).await })
        .every(
            REFUND_INTERVAL,
            "give_up_charges",
            |cx| async move { app::give_up_charges(&cx).await },
        )
        .every(DUE_INTERVAL, "find_ending", |cx| async move { app::find_ending(&cx).await })
        .every(SWEEP_INTERVAL, "sweep", |cx| async move { app::sweep(&cx).await })
        .every(DAILY_INTERVAL, "daily_match", |cx| async move { app::daily_match(&cx).await })
        .every(
            DAILY_INTERVAL,
            "compare_balance",
            |cx| async move { app::compare_balance(&cx).await },
        )
        .every(DAILY_INTERVAL, "measure", |cx| async move { app::measure(&cx).await });
}
