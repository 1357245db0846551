//! Everything that is so in the outside world, and the facts that made it so.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::fault::{Call, Fault, Provider};
use super::handset::{Handset, Msisdn, Script, Stk};
use super::mail::Mail;
use super::payment::Payment;
use super::sms::Sent;
use super::social::{Social, SocialFact};
use crate::config::Settings;

/// Handsets that exist at a time; beyond, the longest idle one goes.
pub(crate) const MAX_HANDSETS: usize = 500;
/// Requests to pay that are remembered; beyond, the oldest settled one goes.
pub(crate) const MAX_PAYMENTS: usize = 5_000;
/// Lines of the bank's book; beyond, the oldest go, and the totals stay right.
pub(crate) const MAX_BOOK: usize = 50_000;

/// Messages that the SMS provider remembers; beyond, the oldest go.
pub(crate) const MAX_SENT: usize = 500;

/// Mail that is kept; beyond, the oldest goes.
pub(crate) const MAX_MAILS: usize = 500;
/// Bytes of mail that are kept.
pub(crate) const MAX_MAIL_BYTES: usize = 16 * 1024 * 1024;

/// Something that happened. The state is the sum of its facts, so the journal
/// of facts read from the start gives the state again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "fact", content = "of", rename_all = "camelCase")]
pub(crate) enum Fact {
    Settings(Settings),
    Token(Token),
    Handset(Box<Handset>),
    Payment(Box<Payment>),
    Received(Received),
    Totals(Totals),
    Faults(Vec<Fault>),
    Sms(Sent),
    Mail(Box<Mail>),
    Social(SocialFact),
    /// All but what clients hold (Daraja's token, Google's key) is forgotten.
    Reset(Settings),
}

/// The one access token that is good now.
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
    /// Whole shillings.
    pub(crate) amount: u64,
    pub(crate) short_code: String,
    pub(crate) account: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// The sums of the bank's book, also of the lines that it no longer lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) count: u64,
    /// Whole shillings.
    pub(crate) amount: u64,
}

/// The outside world as it is now. It changes by [`State::apply`] alone.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) token: Option<Token>,
    pub(crate) handsets: BTreeMap<Msisdn, Handset>,
    /// By `CheckoutRequestID`.
    payments: BTreeMap<String, Payment>,
    /// `CheckoutRequestID`s in the order of their requests.
    order: VecDeque<String>,
    /// Oldest first.
    pub(crate) book: VecDeque<Received>,
    pub(crate) totals: Totals,
    pub(crate) faults: Vec<Fault>,
    /// Messages that arrived, oldest first.
    pub(crate) sent: VecDeque<Sent>,
    /// Oldest first.
    pub(crate) mails: VecDeque<Mail>,
    pub(crate) social: Social,
}

impl State {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Makes a fact so, within the bounds.
    pub(crate) fn apply(&mut self, fact: Fact) {
        match fact {
            Fact::Settings(settings) => self.settings = settings,
            Fact::Token(token) => self.token = Some(token),
            Fact::Handset(handset) => {
                self.handsets.insert(handset.msisdn.clone(), *handset);
                self.drop_idle_handset();
            }
            Fact::Payment(payment) => {
                let id = payment.checkout_request_id.clone();
                if self.payments.insert(id.clone(), *payment).is_none() {
                    self.order.push_back(id);
                    self.drop_old_payment();
                }
            }
            Fact::Received(line) => {
                self.totals.count = self.totals.count.saturating_add(1);
                self.totals.amount = self.totals.amount.saturating_add(line.amount);
                push_bounded(&mut self.book, line, MAX_BOOK);
            }
            Fact::Totals(totals) => self.totals = totals,
            Fact::Faults(faults) => self.faults = faults,
            Fact::Mail(mail) => {
                push_bounded(&mut self.mails, *mail, MAX_MAILS);
                while self.mails.iter().map(Mail::size).sum::<usize>() > MAX_MAIL_BYTES {
                    self.mails.pop_front();
                }
            }
            Fact::Sms(sent) => push_bounded(&mut self.sent, sent, MAX_SENT),
            Fact::Social(fact) => self.social.apply(fact),
            Fact::Reset(settings) => {
                let (token, social) = (self.token.take(), self.social.after_reset());
                *self = Self { token, social, ..Self::new(settings) };
            }
        }
    }

    /// The fewest facts that give this state again.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::Settings(self.settings.clone())];
        facts.extend(self.token.clone().map(Fact::Token));
        facts.extend(self.handsets.values().cloned().map(Box::new).map(Fact::Handset));
        facts.extend(self.payments().cloned().map(Box::new).map(Fact::Payment));
        facts.extend(self.book.iter().cloned().map(Fact::Received));
        // After the book's lines, because each of them counts itself.
        facts.push(Fact::Totals(self.totals));
        facts.push(Fact::Faults(self.faults.clone()));
        facts.extend(self.sent.iter().cloned().map(Fact::Sms));
        facts.extend(self.mails.iter().cloned().map(Box::new).map(Fact::Mail));
        facts.extend(self.social.facts().map(Fact::Social));
        facts
    }

    /// The requests to pay, oldest first.
    pub(crate) fn payments(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.order.iter().filter_map(|id| self.payments.get(id))
    }

    pub(crate) fn payment(&self, checkout_request_id: &str) -> Option<&Payment> {
        self.payments.get(checkout_request_id)
    }

    /// The request that keeps this handset's line busy.
    pub(crate) fn line_holder(&self, msisdn: &Msisdn) -> Option<&Payment> {
        self.payments.values().find(|p| p.msisdn == *msisdn && p.holds_line())
    }

    /// The handset of this number; a number never seen gets a new one.
    pub(crate) fn handset_or_new(&self, msisdn: &Msisdn, at: OffsetDateTime) -> Handset {
        self.handsets.get(msisdn).cloned().unwrap_or_else(|| {
            let stk = if self.settings.ask_me { Stk::Manual } else { Stk::default() };
            Handset::new(msisdn.clone(), Script { stk, ..Script::default() }, at)
        })
    }

    /// The faults after this call has suffered the first that strikes it.
    pub(crate) fn strike(&self, provider: Provider, call: Call) -> Option<(Fault, Vec<Fault>)> {
        let at = self.faults.iter().position(|fault| fault.strikes(provider, call))?;
        let mut left = self.faults.clone();
        let struck = left[at].clone();
        left[at].count = left[at].count.saturating_sub(1);
        left.retain(|fault| fault.count > 0);
        Some((struck, left))
    }

    fn drop_idle_handset(&mut self) {
        if self.handsets.len() <= MAX_HANDSETS {
            return;
        }
        let busy =
            |number: &Msisdn| self.payments.values().any(|p| p.msisdn == *number && p.is_open());
        let idle = self
            .handsets
            .values()
            .filter(|handset| !busy(&handset.msisdn))
            .min_by_key(|handset| handset.used_at)
            .map(|handset| handset.msisdn.clone());
        if let Some(idle) = idle {
            self.handsets.remove(&idle);
        }
    }

    fn drop_old_payment(&mut self) {
        if self.order.len() <= MAX_PAYMENTS {
            return;
        }
        let done = |id: &String| {
            self.payments.get(id).is_none_or(|p| !p.is_open() && p.callbacks_left == 0)
        };
        if let Some(at) = self.order.iter().position(done)
            && let Some(id) = self.order.remove(at)
        {
            self.payments.remove(&id);
        }
    }
}

/// Adds the newest; beyond the bound the oldest goes.
pub(super) fn push_bounded<T>(line: &mut VecDeque<T>, newest: T, bound: usize) {
    line.push_back(newest);
    if line.len() > bound {
        line.pop_front();
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
    fn the_facts_of_a_state_give_the_state_again() {
        let mut state = State::new(Settings { ask_me: true, ..Settings::default() });
        state.apply(Fact::Received(received(7)));
        state.apply(Fact::Received(received(5)));
        state.totals.count += 1; // a line that the book no longer lists
        let mut again = State::default();
        state.facts().into_iter().for_each(|fact| again.apply(fact));
        assert_eq!(again.settings, state.settings);
        assert_eq!(again.totals, Totals { count: 3, amount: 12 });
        assert_eq!(again.book, state.book);
    }

    #[test]
    fn a_full_world_forgets_the_longest_idle_handset() {
        let mut state = State::default();
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
    fn a_fault_strikes_as_often_as_ordered() {
        let fault: Fault = serde_json::from_value(
            serde_json::json!({"provider": "daraja", "kind": "down", "count": 2}),
        )
        .unwrap();
        let mut state = State::default();
        state.apply(Fact::Faults(vec![fault]));
        assert!(state.strike(Provider::Daraja, Call::Token).is_none());
        for left in [1, 0] {
            let (_, after) = state.strike(Provider::Daraja, Call::Stkpush).unwrap();
            assert_eq!(after.len(), left);
            state.apply(Fact::Faults(after));
        }
        assert!(state.strike(Provider::Daraja, Call::Stkpush).is_none());
    }
}
