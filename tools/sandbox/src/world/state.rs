//! The providers' state, and the facts that change it.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::airtime::{Charge, Consent};
use super::book::{Float, Line, Sums};
use super::bounded::{evict_idle, push_bounded};
use super::card::CardPayment;
use super::fault::{Call, Fault, Provider};
use super::handset::{Handset, Script, Stk};
use super::mail::Mail;
use super::msisdn::Msisdn;
use super::outcome::{Flow, OutcomeOrder};
use super::outgoing::Outgoing;
use super::payment::Payment;
use super::payout::Payout;
use super::push::{Browser, Pushed};
use super::sms::SentSms;
use super::social::{Social, SocialFact};
use crate::config::Settings;

/// Most handsets; beyond it the one that was idle longest is removed.
const MAX_HANDSETS: usize = 500;
/// Most requests to pay; beyond it the oldest concluded one is removed.
pub(crate) const MAX_PAYMENTS: usize = 5_000;
/// Most lines of the bank's book; beyond it the oldest are removed, and the totals stay right.
pub(crate) const MAX_BOOK: usize = 50_000;
/// Most posted requests; beyond it the oldest concluded one is removed.
const MAX_OUTGOING: usize = 2_000;
/// Most delivered texts; beyond it the oldest are removed.
const MAX_SENT: usize = 500;
/// Most mails; beyond it the oldest are removed.
const MAX_MAILS: usize = 500;
/// Most browsers; beyond it the one that was idle longest is removed.
const MAX_BROWSERS: usize = 500;
/// Most pushed messages; beyond it the oldest are removed.
const MAX_PUSHED: usize = 500;
/// Most bytes of all mails together.
const MAX_MAIL_BYTES: usize = 16 * 1024 * 1024;

/// One change of the state. The journal stores facts; applied in order to an
/// empty state they restore it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "fact", content = "of", rename_all = "camelCase")]
pub(crate) enum Fact {
    Settings(Settings),
    Token(Token),
    CarrierToken(Token),
    Handset(Box<Handset>),
    Payment(Box<Payment>),
    Received(Received),
    Totals(Totals),
    Payout(Box<Payout>),
    Card(Box<CardPayment>),
    Charge(Box<Charge>),
    Consent(Consent),
    Line(Line),
    Sums(Sums),
    Float(Float),
    Outgoing(Box<Outgoing>),
    Outcomes(Vec<OutcomeOrder>),
    Faults(Vec<Fault>),
    Sms(SentSms),
    Mail(Box<Mail>),
    Browser(Box<Browser>),
    Pushed(Box<Pushed>),
    Social(SocialFact),
    /// Removes everything except the tokens of Daraja and the carrier, and the number of Google's
    /// key, which clients cache.
    Reset(Settings),
}

/// The one valid access token of Daraja, or of the carrier.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Token {
    pub(crate) value: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) expires_at: OffsetDateTime,
}

/// A line of the bank's book: money that came in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Received {
    pub(crate) receipt: String,
    pub(crate) checkout_request_id: String,
    pub(crate) msisdn: Msisdn,
    /// The amount in whole shillings.
    pub(crate) amount: u64,
    pub(crate) short_code: String,
    pub(crate) account: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// The sums of the bank's book, including lines that were dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) count: u64,
    /// The amount in whole shillings.
    pub(crate) amount: u64,
}

/// The providers' state. Only [`WorldState::apply`] changes it.
#[derive(Debug, Default)]
pub(crate) struct WorldState {
    pub(crate) settings: Settings,
    pub(crate) token: Option<Token>,
    pub(crate) carrier_token: Option<Token>,
    pub(crate) handsets: BTreeMap<Msisdn, Handset>,
    /// Requests to pay, oldest first.
    pub(crate) payments: VecDeque<Payment>,
    /// Payments received, oldest first.
    pub(crate) book: VecDeque<Received>,
    pub(crate) totals: Totals,
    /// Payouts, oldest first.
    pub(crate) payouts: VecDeque<Payout>,
    /// Card payments, oldest first.
    pub(crate) cards: VecDeque<CardPayment>,
    /// Charges to airtime, oldest first.
    pub(crate) charges: VecDeque<Charge>,
    pub(crate) consents: VecDeque<Consent>,
    /// The other sides of the book, oldest first.
    pub(crate) lines: VecDeque<Line>,
    pub(crate) sums: Sums,
    pub(crate) float: Float,
    /// Requests to the business, oldest first.
    pub(crate) outgoing: VecDeque<Outgoing>,
    pub(crate) outcomes: Vec<OutcomeOrder>,
    pub(crate) faults: Vec<Fault>,
    /// Delivered texts, oldest first.
    pub(crate) sent: VecDeque<SentSms>,
    /// Mails, oldest first.
    pub(crate) mails: VecDeque<Mail>,
    pub(crate) browsers: BTreeMap<String, Browser>,
    /// Pushed messages, oldest first.
    pub(crate) pushed: VecDeque<Pushed>,
    pub(crate) social: Social,
}

impl WorldState {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    pub(crate) fn apply(&mut self, fact: Fact) {
        match fact {
            Fact::Settings(settings) => self.settings = settings,
            Fact::Token(token) => self.token = Some(token),
            Fact::CarrierToken(token) => self.carrier_token = Some(token),
            Fact::Handset(handset) => {
                self.handsets.insert(handset.msisdn.clone(), *handset);
                let payments = &self.payments;
                evict_idle(&mut self.handsets, MAX_HANDSETS, |handset| {
                    let open = |p: &Payment| p.msisdn == handset.msisdn && p.is_open();
                    (!payments.iter().any(open)).then_some(handset.used_at)
                });
            }
            Fact::Payment(payment) => {
                let id = payment.checkout_request_id.clone();
                put(
                    &mut self.payments,
                    *payment,
                    MAX_PAYMENTS,
                    |p| p.checkout_request_id == id,
                    Payment::is_concluded,
                );
            }
            Fact::Received(line) => {
                self.totals.count = self.totals.count.saturating_add(1);
                self.totals.amount = self.totals.amount.saturating_add(line.amount);
                push_bounded(&mut self.book, line, MAX_BOOK);
            }
            Fact::Totals(totals) => self.totals = totals,
            Fact::Outcomes(outcomes) => self.outcomes = outcomes,
            Fact::Faults(faults) => self.faults = faults,
            Fact::Mail(mail) => {
                push_bounded(&mut self.mails, *mail, MAX_MAILS);
                while self.mails.iter().map(Mail::size).sum::<usize>() > MAX_MAIL_BYTES {
                    self.mails.pop_front();
                }
            }
            Fact::Sms(sent) => push_bounded(&mut self.sent, sent, MAX_SENT),
            Fact::Browser(browser) => {
                self.browsers.insert(browser.id.clone(), *browser);
                evict_idle(&mut self.browsers, MAX_BROWSERS, |browser| Some(browser.used_at));
            }
            Fact::Pushed(pushed) => push_bounded(&mut self.pushed, *pushed, MAX_PUSHED),
            Fact::Social(fact) => self.social.apply(fact),
            Fact::Reset(settings) => {
                let (token, carrier_token) = (self.token.take(), self.carrier_token.take());
                let social = self.social.after_reset();
                *self = Self { token, carrier_token, social, ..Self::new(settings) };
            }
            money => self.apply_money(money),
        }
    }

    /// Applies facts about payouts, cards, airtime and the book.
    fn apply_money(&mut self, fact: Fact) {
        match fact {
            Fact::Payout(payout) => {
                let id = payout.conversation_id.clone();
                put(
                    &mut self.payouts,
                    *payout,
                    MAX_PAYMENTS,
                    |p| p.conversation_id == id,
                    |p| !p.is_open(),
                );
            }
            Fact::Card(card) => {
                let id = card.id;
                put(
                    &mut self.cards,
                    *card,
                    MAX_PAYMENTS,
                    |c| c.id == id,
                    CardPayment::is_concluded,
                );
            }
            Fact::Charge(charge) => {
                let id = charge.request_id.clone();
                put(&mut self.charges, *charge, MAX_PAYMENTS, |c| c.request_id == id, |_| true);
            }
            Fact::Consent(consent) => {
                let (msisdn, offer) = (consent.msisdn.clone(), consent.offer.clone());
                let is = |c: &Consent| c.msisdn == msisdn && c.offer == offer;
                put(&mut self.consents, consent, MAX_PAYMENTS, is, |_| true);
            }
            Fact::Line(line) => {
                self.sums.entry(line.side).or_default().add(&line);
                push_bounded(&mut self.lines, line, MAX_BOOK);
            }
            Fact::Sums(sums) => self.sums = sums,
            Fact::Float(float) => self.float = float,
            Fact::Outgoing(outgoing) => {
                let id = outgoing.id.clone();
                put(
                    &mut self.outgoing,
                    *outgoing,
                    MAX_OUTGOING,
                    |o| o.id == id,
                    Outgoing::is_concluded,
                );
            }
            // [`WorldState::apply`] has applied the other facts.
            _ => {}
        }
    }

    /// The facts that make this state from an empty one.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::Settings(self.settings.clone())];
        facts.extend(self.token.clone().map(Fact::Token));
        facts.extend(self.carrier_token.clone().map(Fact::CarrierToken));
        facts.extend(self.handsets.values().cloned().map(Box::new).map(Fact::Handset));
        facts.extend(self.payments.iter().cloned().map(Box::new).map(Fact::Payment));
        facts.extend(self.book.iter().cloned().map(Fact::Received));
        // The totals come after the lines of the book, each of which adds to them.
        facts.push(Fact::Totals(self.totals));
        facts.extend(self.payouts.iter().cloned().map(Box::new).map(Fact::Payout));
        facts.extend(self.cards.iter().cloned().map(Box::new).map(Fact::Card));
        facts.extend(self.charges.iter().cloned().map(Box::new).map(Fact::Charge));
        facts.extend(self.consents.iter().cloned().map(Fact::Consent));
        facts.extend(self.lines.iter().cloned().map(Fact::Line));
        facts.push(Fact::Sums(self.sums.clone()));
        facts.push(Fact::Float(self.float));
        facts.extend(self.outgoing.iter().cloned().map(Box::new).map(Fact::Outgoing));
        facts.push(Fact::Outcomes(self.outcomes.clone()));
        facts.push(Fact::Faults(self.faults.clone()));
        facts.extend(self.sent.iter().cloned().map(Fact::Sms));
        facts.extend(self.mails.iter().cloned().map(Box::new).map(Fact::Mail));
        facts.extend(self.browsers.values().cloned().map(Box::new).map(Fact::Browser));
        facts.extend(self.pushed.iter().cloned().map(Box::new).map(Fact::Pushed));
        facts.extend(self.social.facts().map(Fact::Social));
        facts
    }

    pub(crate) fn payment(&self, checkout_request_id: &str) -> Option<&Payment> {
        self.payments.iter().rfind(|p| p.checkout_request_id == checkout_request_id)
    }

    /// The open request that keeps this handset from a second prompt.
    pub(crate) fn open_payment(&self, msisdn: &Msisdn) -> Option<&Payment> {
        self.payments.iter().find(|p| p.msisdn == *msisdn && p.locks_subscriber())
    }

    /// The handset of this number; an unknown number gets a new one.
    pub(crate) fn handset_or_new(&self, msisdn: &Msisdn, at: OffsetDateTime) -> Handset {
        self.handsets.get(msisdn).cloned().unwrap_or_else(|| {
            let stk = if self.settings.ask_me { Stk::Manual } else { Stk::default() };
            Handset::new(msisdn.clone(), Script { stk, ..Script::default() }, at)
        })
    }

    /// The first fault that matches this call, and all faults after it is counted.
    pub(crate) fn match_fault(
        &self,
        provider: Provider,
        call: Call,
    ) -> Option<(Fault, Vec<Fault>)> {
        let index = self.faults.iter().position(|fault| fault.matches(provider, call))?;
        let mut left = self.faults.clone();
        let matched = left[index].clone();
        left[index].count = left[index].count.saturating_sub(1);
        left.retain(|fault| fault.count > 0);
        Some((matched, left))
    }

    pub(crate) fn payout(&self, is: impl Fn(&Payout) -> bool) -> Option<&Payout> {
        self.payouts.iter().rfind(|payout| is(payout))
    }

    /// The card payment with this reference, access code or id.
    pub(crate) fn card(&self, key: &str) -> Option<&CardPayment> {
        let id: Option<u64> = key.parse().ok();
        let is = |c: &&CardPayment| c.reference == key || c.access_code == key || Some(c.id) == id;
        self.cards.iter().rev().find(is)
    }

    /// The script for this payment: the handset's script with the outcome that is ordered for the
    /// payment. Also returns the change that counts the order.
    pub(crate) fn scripted(
        &self,
        handset: &Handset,
        flow: Flow,
        amount: u64,
    ) -> (Script, Option<Fact>) {
        let index = self.outcomes.iter().position(|o| o.matches(flow, &handset.msisdn, amount));
        let Some(index) = index else {
            return (handset.script.clone(), None);
        };
        let mut left = self.outcomes.clone();
        let script = left[index].applied(&handset.script);
        left[index].count = left[index].count.saturating_sub(1);
        left.retain(|order| order.count > 0);
        (script, Some(Fact::Outcomes(left)))
    }
}

/// Adds or replaces an item; beyond the limit the oldest concluded one is removed.
fn put<T>(
    items: &mut VecDeque<T>,
    item: T,
    limit: usize,
    is: impl Fn(&T) -> bool,
    is_concluded: impl Fn(&T) -> bool,
) {
    if let Some(known) = items.iter_mut().rfind(|known| is(known)) {
        *known = item;
        return;
    }
    items.push_back(item);
    if items.len() > limit
        && let Some(index) = items.iter().position(is_concluded)
    {
        items.remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    fn received(n: u64) -> Received {
        Received {
            receipt: format!("R{n}"),
            checkout_request_id: format!("ws_CO_{n}"),
            msisdn: Msisdn::strict("254712345678").unwrap(),
            amount: n,
            short_code: "174379".into(),
            account: "A".into(),
            at: OffsetDateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn facts_restore_the_state() {
        let mut state = WorldState::new(Settings { ask_me: true, ..Settings::default() });
        state.apply(Fact::Received(received(7)));
        state.apply(Fact::Received(received(5)));
        state.totals.count += 1; // a line that was dropped
        let mut restored = WorldState::default();
        state.facts().into_iter().for_each(|fact| restored.apply(fact));
        assert_eq!(restored.settings, state.settings);
        assert_eq!(restored.totals, Totals { count: 3, amount: 12 });
        assert_eq!(restored.book, state.book);
    }

    #[test]
    fn drops_the_longest_idle_handset_beyond_the_limit() {
        let mut state = WorldState::default();
        for n in 0..=MAX_HANDSETS {
            let number = Msisdn::strict(&format!("2547{n:08}")).unwrap();
            let at = OffsetDateTime::UNIX_EPOCH + Duration::seconds(i64::try_from(n).unwrap());
            let handset = Handset::new(number, Script::default(), at);
            state.apply(Fact::Handset(Box::new(handset)));
        }
        assert_eq!(state.handsets.len(), MAX_HANDSETS);
        assert!(!state.handsets.contains_key(&Msisdn::strict("254700000000").unwrap()));
    }

    #[test]
    fn a_fault_matches_as_often_as_ordered() {
        let fault: Fault = serde_json::from_value(
            serde_json::json!({"provider": "daraja", "kind": "down", "count": 2}),
        )
        .unwrap();
        let mut state = WorldState::default();
        state.apply(Fact::Faults(vec![fault]));
        assert!(state.match_fault(Provider::Daraja, Call::Token).is_none());
        for left in [1, 0] {
            let (_, after) = state.match_fault(Provider::Daraja, Call::Stkpush).unwrap();
            assert_eq!(after.len(), left);
            state.apply(Fact::Faults(after));
        }
        assert!(state.match_fault(Provider::Daraja, Call::Stkpush).is_none());
    }
}
