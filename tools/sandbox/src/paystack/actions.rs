//! Actions of a person or a test on a card payment.

use serde::Deserialize;

use super::{events, transactions};
use crate::clock;
use crate::outgoing;
use crate::world::Shared;
use crate::world::book::{Line, Side};
use crate::world::card::{CardPayment, CardStatus, Dispute};
use crate::world::state::Fact;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CardAction {
    /// Pays what is asked.
    Pay,
    /// Pays one shilling less than is asked.
    PayLess,
    /// Goes to the bank's 3-D Secure step.
    Secure,
    /// Confirms the payment at the 3-D Secure step.
    Confirm,
    /// Refuses the payment at the 3-D Secure step.
    Reject,
    /// The bank declines the card.
    Decline,
    /// Leaves the page.
    Abandon,
    /// Complains at the bank about a paid transaction.
    Dispute,
    /// The bank reminds the business.
    Remind,
    /// The complaint is settled for the payer, or for the business.
    ResolveLost,
    ResolveWon,
}

/// Why an action is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAction {
    Unknown,
    /// The transaction is in another state.
    Conflict,
}

/// Acts on the transaction with this reference or access code, and returns it.
pub(crate) fn act(world: &Shared, key: &str, action: CardAction) -> Result<CardPayment, NoAction> {
    let now = clock::now();
    let (card, ids) = world.change(|state| {
        let mut card = state.card(key).cloned().ok_or(NoAction::Unknown)?;
        let mut facts = Vec::new();
        let status = |card: &mut CardPayment, status, text: &str| {
            card.status = status;
            text.clone_into(&mut card.response);
        };
        match action {
            CardAction::Dispute
            | CardAction::Remind
            | CardAction::ResolveLost
            | CardAction::ResolveWon => {
                let name = disputed(&mut card, action)?;
                if let Some(dispute) = &card.dispute {
                    facts.extend(events::dispute(world, state, name, &card, dispute, now));
                }
            }
            _ if !card.is_payable() => return Err(NoAction::Conflict),
            CardAction::Confirm | CardAction::Reject if card.status != CardStatus::Ongoing => {
                return Err(NoAction::Conflict);
            }
            CardAction::Pay | CardAction::PayLess | CardAction::Confirm => {
                status(&mut card, CardStatus::Success, "Approved");
                if action == CardAction::PayLess {
                    card.amount_cents = card.requested_cents.saturating_sub(100);
                }
                // 2.9 % of a card issued in Kenya.
                card.fee_cents = card.amount_cents * 29 / 1_000;
                card.paid_at = Some(now);
                facts.push(Fact::Line(line(&card, Side::Cards, card.amount_cents, card.fee_cents)));
                facts.extend(events::charge(world, state, &card, now));
            }
            CardAction::Secure => status(&mut card, CardStatus::Ongoing, "Waiting for 3-D Secure"),
            CardAction::Reject => {
                status(&mut card, CardStatus::Failed, "3-D Secure authentication failed");
            }
            CardAction::Decline => status(&mut card, CardStatus::Failed, "Declined"),
            CardAction::Abandon => {
                status(&mut card, CardStatus::Abandoned, "The transaction was not completed");
            }
        }
        facts.push(Fact::Card(Box::new(card.clone())));
        let ids = outgoing::ids(&facts);
        Ok((facts, (card, ids)))
    })?;
    tracing::info!(reference = card.reference, ?action, status = ?card.status, "paystack.page");
    outgoing::start(world, ids);
    Ok(card)
}

/// Changes the dispute, and names its event.
fn disputed(card: &mut CardPayment, action: CardAction) -> Result<&'static str, NoAction> {
    let is_open = card.dispute.as_ref().is_some_and(|dispute| dispute.resolution.is_none());
    if action == CardAction::Dispute {
        if card.status != CardStatus::Success || card.dispute.is_some() {
            return Err(NoAction::Conflict);
        }
        card.dispute = Some(Dispute {
            id: transactions::new_id(),
            status: "awaiting-merchant-feedback".to_owned(),
            resolution: None,
            created_at: clock::now(),
        });
        return Ok("create");
    }
    let dispute = card.dispute.as_mut().filter(|_| is_open).ok_or(NoAction::Conflict)?;
    if action == CardAction::Remind {
        return Ok("remind");
    }
    let lost = action == CardAction::ResolveLost;
    "resolved".clone_into(&mut dispute.status);
    dispute.resolution = Some(if lost { "merchant-accepted" } else { "declined" }.to_owned());
    Ok("resolve")
}

/// A line of the bank's book about this transaction.
pub(super) fn line(card: &CardPayment, side: Side, amount_cents: u64, charge_cents: u64) -> Line {
    Line {
        side,
        receipt: card.id.to_string(),
        reference: card.reference.clone(),
        party: card.email.clone(),
        amount_cents,
        charge_cents,
        at: clock::now(),
    }
}
