//! Card payments: a provider's transaction, and the evidence that it gives about a payment.

use std::time::Duration;

use time::OffsetDateTime;
use types::Money;

use super::{Evidence, Failure, PaymentId, ProviderRefusal};

/// The currency of every payment.
const CURRENCY: &str = "KES";

/// A payment's reference at the provider. The first is the payment's id. When the reply
/// that had the page's address was lost, the page is opened under another one, because a
/// reference is used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CardReference {
    pub(crate) payment: PaymentId,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u16,
}

impl CardReference {
    /// Parses the reference in a provider's message; `None` when it is not one of ours.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        const ID: usize = 36;
        let id = text.get(..ID)?;
        let attempt = match text.get(ID..)? {
            "" => 1,
            rest => rest.strip_prefix('-')?.parse().ok().filter(|attempt| *attempt > 1)?,
        };
        let reference = Self { payment: PaymentId::parse(id).ok()?, attempt };
        // Another spelling of a reference is not ours.
        (reference.to_string() == text).then_some(reference)
    }
}

impl std::fmt::Display for CardReference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.attempt {
            1 => write!(f, "{}", self.payment),
            attempt => write!(f, "{}-{attempt}", self.payment),
        }
    }
}

/// The state of a transaction at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardStatus {
    Success,
    /// The card was declined. The page may still be open for another card.
    Failed,
    /// The transaction was paid, and given back.
    Reversed,
    /// The transaction is not finished, and may still be.
    Open,
}

/// A transaction as the provider reports it, by an event or a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardTransaction {
    pub(crate) id: String,
    pub(crate) reference: String,
    pub(crate) status: CardStatus,
    /// The status in the provider's words.
    pub(crate) status_text: String,
    pub(crate) amount: Money,
    pub(crate) currency: String,
    /// Whether real money moved, and no test card.
    pub(crate) is_live: bool,
    pub(crate) paid_at: Option<OffsetDateTime>,
    /// The provider's fees.
    pub(crate) fees: Option<Money>,
}

/// The meaning of a transaction for a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CardFinding {
    /// The transaction decides nothing yet.
    Open,
    /// How the payment ended.
    Evidence(Evidence),
    /// The transaction says "success", and is not the payment that we asked for: it is never
    /// credited.
    Mismatch(String),
}

impl CardTransaction {
    /// Returns the meaning of the transaction for the payment that has this reference. Another
    /// amount in the right currency is evidence: the payment sets it aside.
    pub(crate) fn finding(&self, reference: CardReference, expects_live: bool) -> CardFinding {
        match self.status {
            CardStatus::Open => CardFinding::Open,
            CardStatus::Failed | CardStatus::Reversed => {
                let failure = match self.status {
                    CardStatus::Reversed => Failure::CardReversed,
                    _ => Failure::CardDeclined,
                };
                let code = self.status_text.clone();
                CardFinding::Evidence(Evidence::Refused {
                    refusal: ProviderRefusal { failure, code },
                })
            }
            CardStatus::Success => match self.mismatch(reference, expects_live) {
                Some(mismatch) => CardFinding::Mismatch(mismatch),
                None => CardFinding::Evidence(Evidence::Paid {
                    receipt: Some(self.id.clone()),
                    amount: Some(self.amount),
                    at: self.paid_at,
                }),
            },
        }
    }

    fn mismatch(&self, reference: CardReference, expects_live: bool) -> Option<String> {
        if self.reference != reference.to_string() {
            return Some("another reference".to_owned());
        }
        if self.currency != CURRENCY {
            return Some(format!("currency {:.8}", self.currency));
        }
        if self.is_live != expects_live {
            return Some(if expects_live { "a test card" } else { "a live card" }.to_owned());
        }
        if self.amount <= Money::ZERO {
            return Some("an amount that is not above zero".to_owned());
        }
        None
    }
}

/// Ages of a card payment at which it is verified, beside its expiry: the provider's events
/// may be late, and it sends none for a card that was declined.
const AGES: [Duration; 5] = [
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_hours(2),
    Duration::from_hours(24),
];

/// The age at which a card payment of `age` is verified next; `None` after a day.
pub(crate) fn next_verify(age: Duration, expiry: Duration) -> Option<Duration> {
    let at_expiry = Some(expiry).filter(|expiry| *expiry > age);
    AGES.into_iter().find(|slot| *slot > age).into_iter().chain(at_expiry).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a4f0-0000-7000-8000-00000000beef";

    fn reference(attempt: u16) -> CardReference {
        CardReference { payment: PaymentId::parse(ID).unwrap(), attempt }
    }

    fn paid() -> CardTransaction {
        CardTransaction {
            id: "4099260516".into(),
            reference: ID.into(),
            status: CardStatus::Success,
            status_text: "success".into(),
            amount: Money::from_shillings(100),
            currency: "KES".into(),
            is_live: true,
            paid_at: None,
            fees: None,
        }
    }

    #[test]
    fn a_reference_is_parsed_back_and_no_other_spelling_is() {
        for attempt in [1, 2, 17] {
            let text = reference(attempt).to_string();
            assert_eq!(CardReference::parse(&text), Some(reference(attempt)), "{text}");
        }
        let upper = ID.to_uppercase();
        for text in ["", "x", &ID[1..], &upper, &format!("{ID}-1"), &format!("{ID}-02")] {
            assert_eq!(CardReference::parse(text), None, "{text}");
        }
        for end in ["2", "-", "-x", "-0", "-70000"] {
            assert_eq!(CardReference::parse(&format!("{ID}{end}")), None, "{end}");
        }
    }

    #[test]
    fn a_success_is_evidence_only_for_our_reference_currency_and_domain() {
        let finding = |change: fn(&mut CardTransaction)| {
            let mut transaction = paid();
            change(&mut transaction);
            transaction.finding(reference(1), true)
        };
        assert!(matches!(finding(|_| {}), CardFinding::Evidence(Evidence::Paid { .. })));
        for change in [
            (|t| t.reference.push('0')) as fn(&mut CardTransaction),
            |t| t.reference.push_str("-2"),
            |t| t.currency = "USD".into(),
            |t| t.is_live = false,
            |t| t.amount = Money::ZERO,
        ] {
            let found = finding(change);
            assert!(matches!(found, CardFinding::Mismatch(_)), "{found:?}");
        }
        // The payment itself compares the amount.
        let less = finding(|t| t.amount = Money::from_shillings(1));
        assert!(matches!(less, CardFinding::Evidence(Evidence::Paid { .. })));
    }

    #[test]
    fn a_declined_card_is_a_refusal_and_an_open_page_says_nothing() {
        let of = |status| CardTransaction { status, ..paid() }.finding(reference(1), true);
        assert_eq!(of(CardStatus::Open), CardFinding::Open);
        for status in [CardStatus::Failed, CardStatus::Reversed] {
            assert!(matches!(of(status), CardFinding::Evidence(Evidence::Refused { .. })));
        }
    }

    #[test]
    fn verifications_become_rarer_and_one_is_at_the_expiry() {
        let expiry = Duration::from_mins(30);
        let mut age = Duration::ZERO;
        let mut minutes = Vec::new();
        while let Some(next) = next_verify(age, expiry) {
            minutes.push(next.as_secs() / 60);
            age = next;
        }
        assert_eq!(minutes, [1, 5, 15, 30, 120, 1440]);
    }
}
