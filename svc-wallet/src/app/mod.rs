//! The use cases of the wallet, one a file; related ones share a folder. Each owns its transaction.

mod airtime;
mod apply_content;
mod attempt;
mod callback;
mod card;
mod inbox;
mod ledger;
mod list_player_data;
mod methods;
mod notify;
mod operations;
mod order;
mod payin;
mod payment_changed;
mod payout;
mod provider_calls;
mod repeated;
mod reversal;
mod spending;
mod sweep;
mod transfers;
mod watch;

use std::{ops::Deref, sync::Arc, time::Duration};

use mesh::{
    Shutdown,
    auth::MacKey,
    db::{Pool, Pools},
    outbox::OutboxNotifier,
    pubsub::PubSub,
};
use types::{Clock, Money, Rng};

use crate::{
    clients::{
        carrier::Carrier, daraja::Daraja, notifications::Notifications, paystack::Paystack,
        players::Players,
    },
    domain::{FeeTable, PromptRateLimit, ReviewRules, TaxTable},
};

pub(crate) use airtime::charge::{AIRTIME_TOPIC, charge, give_up_charges};
pub(crate) use airtime::notices::{
    AIRTIME_NOTICE_TOPIC, NewNotice, apply_airtime_notice, store_airtime_notice,
};
pub(crate) use apply_content::{
    Content, apply_method, apply_package, delete_package, list_content,
};
pub(crate) use callback::apply::{CALLBACK_TOPIC, apply_callback};
pub(crate) use callback::store::{NewCallback, store_callback};
pub(crate) use card::events::{CARD_EVENT_TOPIC, NewEvent, apply_card_event, store_card_event};
pub(crate) use card::refund::{CARD_REFUND_TOPIC, RefundRef, check_refunds, send_refund};
pub(crate) use card::verify::verify_cards;
pub(crate) use inbox::CallbackRef;
pub(crate) use ledger::move_former_money::{
    FORMER_MONEY_TOPIC, FormerAccount, FormerMoney, move_former_money, notify_former_money,
};
pub(crate) use ledger::notify_ending::{ENDING_TOPIC, Ending, find_ending, notify_ending};
pub(crate) use ledger::pay_award::pay_award;
pub(crate) use ledger::promotions::{get_promotions, reserve_awards};
pub(crate) use ledger::prove::{prove, prove_nightly};
pub(crate) use ledger::read::{balance, history, methods, transaction};
pub(crate) use ledger::statement::statement;
pub(crate) use ledger::subscriptions::{held_packages, packages, subscriptions};
pub(crate) use ledger::tax::{taxes, top_up_tax};
pub(crate) use list_player_data::list_player_data;
pub(crate) use methods::Methods;
pub(crate) use notify::{Credited, NOTIFY_TOPIC, notify};
pub(crate) use operations::{
    CasePage, Decision, RETURNED_TOPIC, Returned, compare_balance, daily_match, decide_operation,
    get_payout_pause, inspect_payment, list_breaks, list_open_cases, list_operations, measure,
    notify_returned, pause_payouts, request_operation, resolve_break, resume_payouts,
};
pub(crate) use order::read::payment;
pub(crate) use order::subscribe::{Subscribe, subscribe};
pub(crate) use order::top_up::{TopUp, top_up};
pub(crate) use payin::expire::expire;
pub(crate) use payin::push::{PUSH_TOPIC, PaymentRef, push};
pub(crate) use payin::reconcile::reconcile;
pub(crate) use payment_changed::PAYMENT_CHANNELS;
pub(crate) use payout::notify::{Ended, WITHDRAWAL_TOPIC, notify_withdrawal};
pub(crate) use payout::reconcile::reconcile_payouts;
pub(crate) use payout::send::{PAYOUT_TOPIC, PayoutRef, send_payout};
pub(crate) use payout::withdraw::{Withdraw, withdraw, withdraw_charges};
pub(crate) use reversal::reconcile::reconcile_reversals;
pub(crate) use reversal::send::{REVERSAL_TOPIC, ReversalRef, send_reversal};
pub(crate) use spending::{Spending, set_spending_limit, spending};
pub(crate) use sweep::sweep;
pub(crate) use transfers::{TransferWriter, Transfers};
pub(crate) use watch::watch;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    /// The pool for calls, or for jobs ([`Cx::for_jobs`]).
    pub(crate) db: Pool,
    jobs_db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    pub(crate) shutdown: Shutdown,
    /// Publishes changes of payments to watchers.
    pub(crate) pubsub: PubSub,
    /// Wakes the relays after a commit.
    pub(crate) outbox: OutboxNotifier,
    pub(crate) daraja: Daraja,
    /// Marks the secrets in the paths of Daraja's callbacks as ours.
    pub(crate) callback_key: MacKey,
    pub(crate) paystack: Paystack,
    pub(crate) carrier: Carrier,
    pub(crate) players: Players,
    pub(crate) methods: Methods,
    pub(crate) transfers: TransferWriter,
    pub(crate) notifications: Notifications,
    /// Age at which an open payment without evidence expires.
    pub(crate) payment_expiry: Duration,
    /// Age at which an open card payment expires. It is longer, because the page takes more time.
    pub(crate) card_expiry: Duration,
    /// From this amount on a callback is confirmed by a query to the provider.
    pub(crate) confirm_from: Money,
    pub(crate) prompt_limit: PromptRateLimit,
    pub(crate) withdrawal_fees: FeeTable,
    pub(crate) review_rules: ReviewRules,
    /// The taxes on money that reaches wallets.
    pub(crate) taxes: TaxTable,
    /// The most that awards pay in an hour of the clock.
    pub(crate) awards_an_hour: Money,
    /// The most by which M-Pesa's balance and the ledger may have moved apart.
    pub(crate) balance_tolerance: Money,
    /// How long a callback with an outcome is kept, from its arrival.
    pub(crate) inbox_retention: Duration,
    /// How long the phone of a payment that is decided is kept, from its beginning.
    pub(crate) phone_retention: Duration,
}

impl Cx {
    /// The context of calls.
    pub(crate) fn new(pools: Pools, inner: Inner) -> Self {
        Self { db: pools.calls, jobs_db: pools.jobs, inner: Arc::new(inner) }
    }

    /// Returns the context with the pool for jobs and outbox deliveries.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.jobs_db.clone(), ..self.clone() }
    }
}

impl Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
