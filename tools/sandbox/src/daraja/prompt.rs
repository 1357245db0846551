//! The life of a prompt: it is answered or times out, the payment is settled, and
//! the callbacks are posted.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future;

use super::callback;
use crate::clock;
use crate::config::Merchant;
use crate::world::book::Float;
use crate::world::handset::Stk;
use crate::world::msisdn::Msisdn;
use crate::world::payment::{Delivery, Outcome, Payment, TransactionType};
use crate::world::sms::Sms;
use crate::world::state::{Fact, Received, WorldState};
use crate::world::{Shared, World};

/// How long M-Pesa waits for a person to answer a prompt.
pub(super) const TIMEOUT: Duration = Duration::from_mins(1);

/// Starts the task that settles this payment when it is due.
pub(super) fn start(world: &Shared, payment: &Payment) {
    let id = payment.checkout_request_id.clone();
    world.tasks.spawn(settle_when_due(Arc::clone(world), id));
}

/// Restarts the tasks of payments that were open at the last stop.
pub(crate) fn resume(world: &Shared) {
    let unfinished: Vec<Payment> =
        world.read(|state| state.payments.iter().filter(|p| !p.is_concluded()).cloned().collect());
    if !unfinished.is_empty() {
        tracing::info!(payments = unfinished.len(), "resuming open payments");
    }
    for payment in unfinished {
        if payment.is_open() {
            start(world, &payment);
        } else {
            world.tasks.spawn(post_callbacks(Arc::clone(world), payment.checkout_request_id));
        }
    }
}

/// An action of a person on the prompt on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptAction {
    /// Takes the prompt from its script; the prompt's timeout starts again.
    Take,
    /// Ends the prompt with this outcome.
    Answer(Outcome),
}

/// Acts on the prompt that this handset shows; false if it shows none.
pub(crate) fn act(world: &Shared, msisdn: &Msisdn, action: PromptAction) -> bool {
    let shown = world.read(|state| shown_on(state, msisdn).map(|p| p.checkout_request_id.clone()));
    shown.is_some_and(|id| match action {
        PromptAction::Take => take(world, &id),
        PromptAction::Answer(outcome) => settle(world, &id, Some(outcome)),
    })
}

/// The payment whose prompt this handset shows.
pub(crate) fn shown_on<'s>(state: &'s WorldState, msisdn: &Msisdn) -> Option<&'s Payment> {
    state.open_payment(msisdn).filter(|payment| payment.shows_prompt())
}

/// The text on the screen.
pub(crate) fn text(payment: &Payment, merchant: &Merchant) -> String {
    let Payment { amount, party_b, account_reference, .. } = payment;
    let to = match payment.transaction_type {
        TransactionType::PayBill => format!("Account no. {account_reference}"),
        TransactionType::BuyGoods => format!("Till no. {party_b}"),
    };
    format!("Do you want to pay Ksh{amount} to {} {to}?", merchant.name)
}

/// Waits until the payment is settled and its callbacks are posted.
pub(super) async fn wait_until_concluded(world: &World, id: &str) {
    let mut changes = world.watch();
    loop {
        changes.borrow_and_update();
        let concluded = world.read(|state| state.payment(id).is_none_or(Payment::is_concluded));
        if concluded || changes.changed().await.is_err() {
            return;
        }
    }
}

async fn settle_when_due(world: Shared, id: String) {
    // The time is read again after each wait, because a person may have taken the prompt.
    let due = || world.read(|state| state.payment(&id).filter(|p| p.is_open()).map(|p| p.due_at));
    while let Some(due) = due() {
        if due <= clock::now() {
            settle(&world, &id, None);
            return;
        }
        if !world.wait_until(due).await {
            return;
        }
    }
}

fn take(world: &World, id: &str) -> bool {
    let until = clock::now() + TIMEOUT;
    world.update(|state| {
        let Some(payment) = state.payment(id).filter(|p| p.is_open()) else {
            return (Vec::new(), false);
        };
        let mut payment = payment.clone();
        // The rest of the script stays: callbacks go out as ordered.
        if payment.script.stk != Stk::Manual {
            payment.script.stk = Stk::Manual;
            payment.due_at = until;
        }
        (vec![Fact::Payment(Box::new(payment))], true)
    })
}

/// Settles a payment, as scripted where no outcome is given, and starts its callbacks. Returns
/// false, and starts no callbacks, if the payment was settled before.
fn settle(world: &Shared, id: &str, outcome: Option<Outcome>) -> bool {
    let now = clock::now();
    let settled = world.update(|state| {
        let Some(payment) = state.payment(id).filter(|p| p.is_open()) else {
            return (Vec::new(), None);
        };
        let mut payment = payment.clone();
        payment.settle(outcome.unwrap_or_else(|| payment.scripted_outcome()), now);
        let mut facts = money_facts(state, &world.merchant, &payment);
        facts.push(Fact::Payment(Box::new(payment.clone())));
        (facts, Some(payment))
    });
    let Some(payment) = settled else {
        return false;
    };
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        outcome = ?payment.settled.as_ref().map(|settled| settled.outcome),
        callbacks = payment.callbacks_left,
        "daraja.stk settled"
    );
    world.tasks.spawn(post_callbacks(Arc::clone(world), payment.checkout_request_id));
    true
}

/// The facts of a paid payment: the bank's book, the day's limit, the inbox.
fn money_facts(state: &WorldState, merchant: &Merchant, payment: &Payment) -> Vec<Fact> {
    let Some(settled) = &payment.settled else {
        return Vec::new();
    };
    let Some(receipt) = settled.receipt.clone() else {
        return Vec::new();
    };
    let day = clock::day_in_kenya(settled.at);
    let mut handset = state.handset_or_new(&payment.msisdn, settled.at);
    handset.spend(day, settled.amount);
    let left = state.settings.daily_limit.saturating_sub(handset.spent_on(day));
    let to = match payment.transaction_type {
        TransactionType::PayBill => {
            format!("sent to {} for account {}", merchant.name, payment.account_reference)
        }
        TransactionType::BuyGoods => format!("paid to {}.", merchant.name),
    };
    let text = format!(
        "{receipt} Confirmed. Ksh{amount}.00 {to} on {when}. Transaction cost, Ksh0.00. \
         Amount you can transact within the day is Ksh{left}.00.",
        amount = grouped(settled.amount),
        when = clock::in_sms(settled.at),
        left = grouped(left),
    );
    handset.receive(Sms { from: "MPESA".into(), text, at: settled.at });
    let line = Received {
        receipt,
        checkout_request_id: payment.checkout_request_id.clone(),
        msisdn: payment.msisdn.clone(),
        amount: settled.amount,
        short_code: payment.party_b.clone(),
        account: payment.account_reference.clone(),
        at: settled.at,
    };
    let utility = state.float.utility.saturating_add(settled.amount);
    let float = Float { utility, ..state.float };
    vec![Fact::Handset(Box::new(handset)), Fact::Received(line), Fact::Float(float)]
}

/// Posts all copies of the callback at once, when they are due.
async fn post_callbacks(world: Shared, id: String) {
    let Some(payment) = world.read(|state| state.payment(&id).cloned()) else {
        return;
    };
    let (Some(due), Some(body)) = (payment.callback_due(), callback::body(&payment)) else {
        return;
    };
    if !world.wait_until(due).await {
        return;
    }
    let copies = (0..payment.callbacks_left)
        .map(|_| callback::post(&world.http, &payment.callback_url, body.clone()));
    // A stop does not cancel this: a posted callback must be recorded as posted.
    let statuses = future::join_all(copies).await;
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        ?statuses,
        "daraja.stk callback posted"
    );
    let at = clock::now();
    let deliveries = statuses.into_iter().map(|status| Delivery { at, status }).collect();
    world.update(|state| {
        let payment = state.payment(&id).cloned().map(|mut payment| {
            payment.add_deliveries(deliveries);
            Fact::Payment(Box::new(payment))
        });
        (payment.into_iter().collect(), ())
    });
}

/// `1250000` as `1,250,000`.
pub(super) fn grouped(amount: u64) -> String {
    if amount < 1_000 {
        return amount.to_string();
    }
    format!("{},{:03}", grouped(amount / 1_000), amount % 1_000)
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups_digits_by_thousands() {
        for (amount, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (250_000, "250,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(amount), text);
        }
    }
}
