//! The life of a prompt: it rings, somebody answers or nobody does, money moves
//! or not, and the business is told.

use std::sync::Arc;

use futures_util::future;

use super::callback;
use crate::clock;
use crate::config::Merchant;
use crate::world::handset::{Msisdn, Sms, Stk};
use crate::world::payment::{Delivery, Outcome, PATIENCE, Payment, TransactionType};
use crate::world::state::{Fact, Received, State};
use crate::world::{Shared, World};

/// Starts the errand that ends this payment when its script or patience says.
pub(crate) fn ring(world: &Shared, payment: &Payment) {
    let id = payment.checkout_request_id.clone();
    let errand = live(Arc::clone(world), id);
    world.errands.spawn(errand);
}

/// Takes up the errands of a world that was stopped in the middle of them.
pub(crate) fn resume(world: &Shared) {
    let unfinished: Vec<Payment> = world.read(|state| {
        state.payments().filter(|p| p.is_open() || p.callbacks_left > 0).cloned().collect()
    });
    if !unfinished.is_empty() {
        tracing::info!(payments = unfinished.len(), "taking up what was left open");
    }
    for payment in unfinished {
        if payment.is_open() {
            ring(world, &payment);
        } else {
            world.errands.spawn(tell(Arc::clone(world), payment.checkout_request_id));
        }
    }
}

/// What a person does with the prompt on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// Touches it: the script lets go, and the person has time to type.
    Take,
    /// Ends it.
    Answer(Outcome),
}

/// Acts on the prompt that this handset shows. False: it shows none.
pub(crate) async fn act(world: &Shared, msisdn: &Msisdn, gesture: Gesture) -> bool {
    let shown = world.read(|state| shown_on(state, msisdn).map(|p| p.checkout_request_id.clone()));
    let Some(id) = shown else {
        return false;
    };
    match gesture {
        Gesture::Take => take(world, &id).await,
        Gesture::Answer(outcome) => settle(world, &id, Some(outcome)).await,
    }
}

/// The payment whose prompt this handset shows.
pub(crate) fn shown_on<'s>(state: &'s State, msisdn: &Msisdn) -> Option<&'s Payment> {
    state.line_holder(msisdn).filter(|payment| payment.is_on_screen())
}

/// The words on the screen.
pub(crate) fn words(payment: &Payment, merchant: &Merchant) -> String {
    let Payment { amount, party_b, account_reference, .. } = payment;
    let name = &merchant.name;
    match payment.transaction_type {
        TransactionType::PayBill => {
            format!("Do you want to pay Ksh{amount} to {name} Account no. {account_reference}?")
        }
        TransactionType::BuyGoods => {
            format!("Do you want to pay Ksh{amount} to {name} Till no. {party_b}?")
        }
    }
}

/// Waits until the payment is settled and its callbacks are posted.
pub(super) async fn concluded(world: &World, id: &str) {
    let mut changes = world.watch();
    loop {
        changes.borrow_and_update();
        let open = world
            .read(|state| state.payment(id).is_some_and(|p| p.is_open() || p.callbacks_left > 0));
        if !open || changes.changed().await.is_err() {
            return;
        }
    }
}

async fn live(world: Shared, id: String) {
    // Looked up again after each wait, because a person may have taken it.
    while let Some(due) =
        world.read(|state| state.payment(&id).filter(|p| p.is_open()).map(|p| p.due_at))
    {
        if due <= clock::now() {
            settle(&world, &id, None).await;
            return;
        }
        if !world.wait_until(due).await {
            return;
        }
    }
}

async fn take(world: &World, id: &str) -> bool {
    let until = clock::now() + PATIENCE;
    world
        .update(|state| {
            let Some(payment) = state.payment(id).filter(|p| p.is_open()) else {
                return (Vec::new(), false);
            };
            let mut payment = payment.clone();
            // The rest of the script stays: only who answers changes.
            if payment.script.stk != Stk::Manual {
                payment.script.stk = Stk::Manual;
                payment.due_at = until;
            }
            (vec![Fact::Payment(Box::new(payment))], true)
        })
        .await
}

/// Ends a payment as said, or as its script says, and has the business told.
/// False: it had ended before. Whoever ends it tells, so it is told once.
async fn settle(world: &Shared, id: &str, said: Option<Outcome>) -> bool {
    let now = clock::now();
    let settled = world
        .update(|state| {
            let Some(payment) = state.payment(id).filter(|p| p.is_open()) else {
                return (Vec::new(), None);
            };
            let mut payment = payment.clone();
            let outcome = said.unwrap_or_else(|| payment.scripted_outcome());
            payment.settle(outcome, now);
            let mut facts = money_moved(state, &world.merchant, &payment);
            facts.push(Fact::Payment(Box::new(payment.clone())));
            (facts, Some(payment))
        })
        .await;
    let Some(payment) = settled else {
        return false;
    };
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        outcome = ?payment.settled.as_ref().map(|settled| settled.outcome),
        callbacks = payment.callbacks_left,
        "daraja.stk settled"
    );
    world.errands.spawn(tell(Arc::clone(world), payment.checkout_request_id));
    true
}

/// The traces that money leaves: the bank's book, the day's limit, the SMS.
fn money_moved(state: &State, merchant: &Merchant, payment: &Payment) -> Vec<Fact> {
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
    let whom = match payment.transaction_type {
        TransactionType::PayBill => {
            format!("sent to {} for account {}", merchant.name, payment.account_reference)
        }
        TransactionType::BuyGoods => format!("paid to {}.", merchant.name),
    };
    let text = format!(
        "{receipt} Confirmed. Ksh{amount}.00 {whom} on {when}. Transaction cost, Ksh0.00. \
         Amount you can transact within the day is Ksh{left}.00.",
        amount = grouped(settled.amount),
        when = clock::spoken(settled.at),
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
    vec![Fact::Handset(Box::new(handset)), Fact::Received(line)]
}

/// Posts the callbacks that are left, all copies at once.
async fn tell(world: Shared, id: String) {
    let Some(payment) = world.read(|state| state.payment(&id).cloned()) else {
        return;
    };
    let Some(due) = payment.callback_due() else {
        return;
    };
    if !world.wait_until(due).await {
        return;
    }
    let Some(body) = callback::body(&payment) else {
        return;
    };
    let copies = (0..payment.callbacks_left)
        .map(|_| callback::post(&world.http, &payment.callback_url, body.clone()));
    // Not cut short by a stop: what has been posted must be remembered as posted.
    let statuses = future::join_all(copies).await;
    tracing::info!(
        merchant_request_id = payment.merchant_request_id,
        ?statuses,
        "daraja.stk callback posted"
    );
    let at = clock::now();
    let deliveries: Vec<Delivery> =
        statuses.into_iter().map(|status| Delivery { at, status }).collect();
    world
        .update(|state| {
            let Some(mut payment) = state.payment(&id).cloned() else {
                return (Vec::new(), ());
            };
            payment.delivered(deliveries);
            (vec![Fact::Payment(Box::new(payment))], ())
        })
        .await;
}

/// `1250000` as `1,250,000`.
fn grouped(amount: u64) -> String {
    let digits = amount.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
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
