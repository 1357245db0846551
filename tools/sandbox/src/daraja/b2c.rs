//! Payouts: the request, its life, and its result.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::limits::{MAX_AMOUNT, MAX_REPLY_DELAY};
use super::prompt::grouped;
use super::refusal::Refusal;
use super::result::{self, Ids, number, text};
use super::validate::{self, Fields};
use super::{ids, initiator, token};
use crate::clock;
use crate::config::Merchant;
use crate::outgoing;
use crate::world::Shared;
use crate::world::b2c::B2c;
use crate::world::book::{Float, Line, Side};
use crate::world::msisdn::Msisdn;
use crate::world::outcome::Flow;
use crate::world::outgoing::Outgoing;
use crate::world::payment::receipt;
use crate::world::payout::{PaidOut, Payout, charge_cents};
use crate::world::sms::Sms;
use crate::world::state::{Fact, WorldState};

/// Smallest payout, in whole shillings.
const MIN_AMOUNT: u64 = 10;

/// `POST mpesa/b2c/v3/paymentrequest`
pub(super) async fn payment_request(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers).map_err(|_| Refusal::BadInitiatorToken)?;
    let fields = Fields::parse(&body)?;
    let now = clock::now();
    let payout = world
        .change(|state| accept(state, &world.merchant, &fields, now))
        .inspect_err(|refusal| tracing::info!(?refusal, "daraja.b2c refused"))?;
    tracing::info!(
        conversation_id = payout.conversation_id,
        amount = payout.amount,
        script = ?payout.script.b2c,
        "daraja.b2c accepted"
    );
    start(&world, &payout);
    if payout.script.disorder {
        let posted = wait_until_posted(&world, &payout.conversation_id);
        // After a timeout the reply is sent before the result.
        let _ = tokio::time::timeout(MAX_REPLY_DELAY, posted).await;
    }
    Ok(Json(json!({
        "ConversationID": payout.conversation_id,
        "OriginatorConversationID": payout.originator_conversation_id,
        "ResponseCode": "0",
        "ResponseDescription": "Accept the service request successfully.",
    })))
}

/// Restarts the tasks of payouts that were open at the last stop.
pub(crate) fn resume(world: &Shared) {
    let open: Vec<Payout> =
        world.read(|state| state.payouts.iter().filter(|p| p.is_open()).cloned().collect());
    for payout in &open {
        start(world, payout);
    }
}

fn start(world: &Shared, payout: &Payout) {
    let (world, id, due) = (Arc::clone(world), payout.conversation_id.clone(), payout.due_at);
    let tasks = world.tasks.clone();
    tasks.spawn(async move {
        if world.wait_until(due).await {
            settle(&world, &id);
        }
    });
}

async fn wait_until_posted(world: &Shared, id: &str) {
    let mut changes = world.watch();
    loop {
        changes.borrow_and_update();
        let open = |p: &Payout| p.conversation_id == id && p.is_open();
        if !world.read(|state| state.payouts.iter().any(open)) {
            return outgoing::wait_until_posted(world, id).await;
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Validates a request and opens its payout.
fn accept(
    state: &WorldState,
    merchant: &Merchant,
    fields: &Fields,
    now: OffsetDateTime,
) -> Result<(Vec<Fact>, Payout), Refusal> {
    let originator = fields.parse_field("OriginatorConversationID", |text| {
        (text.len() <= 100).then(|| text.to_owned())
    })?;
    let knows = initiator::is_known(fields, "InitiatorName", merchant)?;
    let command = fields.parse_field("CommandID", |text| {
        let known = ["SalaryPayment", "BusinessPayment", "PromotionPayment"];
        known.contains(&text).then(|| text.to_owned())
    })?;
    let amount = fields.parse_field("Amount", validate::amount)?;
    let party_a = fields.parse_field("PartyA", validate::short_code)?;
    let msisdn = fields.parse_field("PartyB", Msisdn::strict)?;
    let remarks = fields
        .parse_field("Remarks", |text| (2..=100).contains(&text.len()).then(|| text.to_owned()))?;
    let timeout_url = fields.parse_field("QueueTimeOutURL", validate::callback_url)?;
    let result_url = fields.parse_field("ResultURL", validate::callback_url)?;
    let occasion = fields.optional("Occassion")?;
    if state.payout(|p| p.originator_conversation_id == originator).is_some() {
        return Err(Refusal::DuplicateOriginator);
    }
    let mut handset = state.handset_or_new(&msisdn, now);
    let (script, ordered) = state.scripted(&handset, Flow::B2c, amount);
    let received = handset.received_on(clock::day_in_kenya(now));
    let refusal = if party_a != merchant.short_code {
        Some(B2c::NotPermitted)
    } else if !knows {
        Some(B2c::BadInitiator)
    } else if amount < MIN_AMOUNT {
        Some(B2c::BelowMinimum)
    } else if amount > MAX_AMOUNT {
        Some(B2c::AboveMaximum)
    } else if received.saturating_add(amount) > state.settings.daily_limit {
        Some(B2c::DailyLimit)
    } else {
        None
    };
    handset.used_at = now;
    let payout = Payout {
        conversation_id: ids::conversation_id(now),
        originator_conversation_id: originator,
        command,
        msisdn,
        amount,
        remarks,
        occasion,
        result_url,
        timeout_url,
        requested_at: now,
        due_at: now + Duration::from_millis(script.delay_ms),
        script,
        refusal,
        settled: None,
    };
    let mut facts = vec![Fact::Handset(Box::new(handset)), Fact::Payout(Box::new(payout.clone()))];
    facts.extend(ordered);
    Ok((facts, payout))
}

/// Carries a payout out, and starts its result.
fn settle(world: &Shared, id: &str) {
    let now = clock::now();
    let (ids, outcome) = world.update(|state| {
        let Some(payout) = state.payout(|p| p.conversation_id == id && p.is_open()) else {
            return (Vec::new(), (Vec::new(), None));
        };
        let mut payout = payout.clone();
        let mut outcome = payout.refusal.unwrap_or(payout.script.b2c);
        if outcome.pays() && state.float.utility < payout.amount {
            outcome = B2c::NoFloat;
        }
        let paid = PaidOut {
            outcome,
            transaction_id: receipt(now),
            charge_cents: if outcome.pays() { charge_cents(payout.amount) } else { 0 },
            at: now,
        };
        payout.settled = Some(paid.clone());
        let mut float = state.float;
        let mut facts = vec![Fact::Payout(Box::new(payout.clone()))];
        if outcome.pays() {
            float.utility -= payout.amount;
            float.charges += paid.charge_cents / 100;
            facts.extend(money_facts(state, &world.merchant, &payout, &paid));
            facts.push(Fact::Float(float));
        }
        facts.extend(results(&payout, &paid, float));
        let ids = outgoing::ids(&facts);
        (facts, (ids, Some(outcome)))
    });
    tracing::info!(conversation_id = id, ?outcome, results = ids.len(), "daraja.b2c settled");
    outgoing::start(world, ids);
}

/// The facts of a payout: the bank's book, the day's limit, the inbox.
fn money_facts(
    state: &WorldState,
    merchant: &Merchant,
    payout: &Payout,
    paid: &PaidOut,
) -> [Fact; 2] {
    let mut handset = state.handset_or_new(&payout.msisdn, paid.at);
    handset.paid_out(clock::day_in_kenya(paid.at), payout.amount);
    let text = format!(
        "{} Confirmed. You have received Ksh{}.00 from {} on {}.",
        paid.transaction_id,
        grouped(payout.amount),
        merchant.name,
        clock::in_sms(paid.at),
    );
    handset.receive(Sms { from: "MPESA".into(), text, at: paid.at });
    let line = Line {
        side: Side::PaidOut,
        receipt: paid.transaction_id.clone(),
        reference: payout.originator_conversation_id.clone(),
        party: payout.msisdn.to_string(),
        amount_cents: payout.amount * 100,
        charge_cents: paid.charge_cents,
        at: paid.at,
    };
    [Fact::Handset(Box::new(handset)), Fact::Line(line)]
}

/// The copies of the result, or the call that says that the queue has timed out.
fn results(payout: &Payout, paid: &PaidOut, float: Float) -> Vec<Fact> {
    if !paid.outcome.reports() {
        return Vec::new();
    }
    let ids = Ids {
        originator: &payout.originator_conversation_id,
        conversation: &payout.conversation_id,
        transaction: &paid.transaction_id,
    };
    let (what, url, body) = if paid.outcome.times_out() {
        let timed_out = ("17", "The request timed out in the queue.");
        ("b2c timeout", &payout.timeout_url, result::body(&ids, timed_out, Vec::new()))
    } else {
        let parameters =
            if paid.outcome.pays() { parameters(payout, paid, float) } else { Vec::new() };
        ("b2c result", &payout.result_url, result::body(&ids, paid.outcome.result(), parameters))
    };
    let due = paid.at + Duration::from_millis(payout.script.callback_delay_ms);
    (0..payout.script.callbacks)
        .map(|_| Outgoing::once(what, &payout.conversation_id, url, body.clone(), due))
        .map(|outgoing| Fact::Outgoing(Box::new(outgoing)))
        .collect()
}

fn parameters(payout: &Payout, paid: &PaidOut, float: Float) -> Vec<result::Parameter> {
    vec![
        number("TransactionAmount", payout.amount),
        text("TransactionReceipt", &paid.transaction_id),
        text("ReceiverPartyPublicName", &format!("{} - Mary Wanjiku", payout.msisdn)),
        text("TransactionCompletedDateTime", &clock::dotted(paid.at)),
        number("B2CUtilityAccountAvailableFunds", format!("{}.00", float.utility)),
        number("B2CWorkingAccountAvailableFunds", "0.00"),
        text("B2CRecipientIsRegisteredCustomer", "Y"),
        number("B2CChargesPaidAccountAvailableFunds", format!("-{}.00", float.charges)),
    ]
}
