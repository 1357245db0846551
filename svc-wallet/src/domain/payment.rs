//! A payment and its states.
//!
//! ```text
//! CREATED ─► SUBMITTING ─► SUBMITTED     open, in this order
//! HELD    ─► CREATED                     a withdrawal that an operator looks at first
//!
//!   from any of them ─► SUCCEEDED        the money moved
//!                    ─► CONFLICTED       another amount moved
//!                    ─► FAILED           the provider refused
//!                    ─► EXPIRED ─► FAILED
//!   FAILED, EXPIRED  ─► SUCCEEDED, CONFLICTED   the money moved after all
//! ```
//!
//! Evidence may come at any time, in any order and more than once, even before we stored
//! that the provider accepted the push. Money that moved always wins: a payment that
//! failed or expired becomes SUCCEEDED when the provider shows that it was paid.

use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId, Text};

use super::{
    Evidence, Failure, HouseAccount, Method, Package, PaymentKind, ProviderRefusal, Review, State,
    provider_text::provider_text_key, stored_detail,
};

types::id! {
    /// Identifies a payment.
    pub(crate) PaymentId: "payment"
}

/// How the receipt of a boost begins; the payer's name follows.
const BOOST_FROM: &str = "Boost from ";

/// One attempt to move money.
#[derive(Debug, Clone)]
pub(crate) struct Payment {
    pub(crate) id: PaymentId,
    pub(crate) kind: PaymentKind,
    pub(crate) method: Method,
    pub(crate) payer: PlayerId,
    /// The player whose wallet is credited.
    pub(crate) beneficiary: PlayerId,
    /// The amount that is credited, without the fee.
    pub(crate) amount: Money,
    /// The fee that the payer pays on top.
    pub(crate) fee: Money,
    pub(crate) state: State,
    /// The phone that gets the prompt, or whose airtime is charged.
    pub(crate) phone: Option<Msisdn>,
    /// The provider's page on which the payer finishes a card payment.
    pub(crate) page: Option<String>,
    /// The line on the beneficiary's receipt.
    pub(crate) detail: String,
    /// The package of a subscription.
    pub(crate) package: Option<Package>,
    /// Why an operator looks at a withdrawal, or looked at it.
    pub(crate) review: Option<Review>,
    pub(crate) created_at: OffsetDateTime,
}

/// The decision that follows from evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Credit the beneficiary: SUCCEEDED.
    Credit {
        /// Whether the player has read that the payment failed or expired.
        was_given_up: bool,
    },
    /// Post the amount to suspense for an operator: CONFLICTED.
    SetAside { received: Money },
    /// End the payment without money: FAILED.
    Fail(Failure),
    /// The payment has ended; only a receipt may be added.
    NoChange,
}

impl Decision {
    /// The decision in a trace: the payment's next state, or why it failed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Credit { .. } => "SUCCEEDED",
            Self::SetAside { .. } => "CONFLICTED",
            Self::Fail(failure) => failure.into(),
            Self::NoChange => "NO_CHANGE",
        }
    }
}

impl Payment {
    /// Returns the decision that follows from `evidence`. Only this function decides a payment's
    /// end; [`Payment::decide_payout`] decides a withdrawal's.
    pub(crate) fn decide(&self, evidence: &Evidence) -> Decision {
        match (self.state, evidence) {
            (State::Succeeded | State::Conflicted, _) => Decision::NoChange,
            (_, Evidence::Paid { amount: Some(received), .. }) if *received != self.amount => {
                Decision::SetAside { received: *received }
            }
            (State::Failed(_) | State::Expired, Evidence::Paid { .. }) => {
                Decision::Credit { was_given_up: true }
            }
            (
                State::Created | State::Held | State::Submitting | State::Submitted,
                Evidence::Paid { .. },
            ) => Decision::Credit { was_given_up: false },
            (State::Failed(_), Evidence::Refused { .. }) => Decision::NoChange,
            (
                State::Created
                | State::Held
                | State::Submitting
                | State::Submitted
                | State::Expired,
                Evidence::Refused { refusal: ProviderRefusal { failure, .. } },
            ) => Decision::Fail(*failure),
        }
    }

    /// The line on the receipt of a package.
    pub(crate) fn package_detail(&self) -> Option<String> {
        self.package.map(|package| stored_detail::of_package(package.name()))
    }

    /// Our account at the provider that the amount comes from; `None` for a wallet.
    pub(crate) const fn source(&self) -> Option<HouseAccount> {
        match self.method {
            Method::Mpesa => Some(HouseAccount::MpesaUtility),
            Method::Card => Some(HouseAccount::CardReceivable),
            Method::SafaricomCredit => Some(HouseAccount::CarrierReceivable),
            Method::Wallet | Method::Paypal => None,
        }
    }

    /// The line on a friend's receipt for a boost from this player.
    pub(crate) fn boost_detail(payer: &str) -> String {
        format!("{BOOST_FROM}{payer}")
    }

    /// The name of the player who boosts, from the line on the friend's receipt.
    pub(crate) fn boosted_by(&self) -> &str {
        match self.detail.strip_prefix(BOOST_FROM).unwrap_or(&self.detail) {
            // The name is removed some time after a failure, which late evidence may contradict.
            "" => "A friend",
            name => name,
        }
    }

    /// Returns by when operators decide on a withdrawal that is held.
    pub(crate) fn held_until(&self) -> Option<OffsetDateTime> {
        self.review.filter(|_| self.state == State::Held).map(|review| review.by)
    }

    /// The status text that the player reads.
    pub(crate) fn text(&self) -> Text {
        if self.kind == PaymentKind::Withdrawal {
            return self.withdrawal_text();
        }
        if let Some(key) = provider_text_key(self.method, self.state) {
            return Text::new(key);
        }
        match self.state {
            State::Created | State::Held | State::Submitting => Text::new("PAYMENT_PROMPT_COMING"),
            State::Submitted => match &self.phone {
                Some(phone) => Text::new("PAYMENT_PROMPT_ON_PHONE").with("phone", phone.masked()),
                None => Text::new("PAYMENT_PROCESSING"),
            },
            State::Succeeded => match self.kind {
                PaymentKind::TopUp => Text::new("TOP_UP_COMPLETED"),
                PaymentKind::Boost => {
                    Text::new("BOOST_COMPLETED").with("amount", self.amount.to_json_literal())
                }
                PaymentKind::Withdrawal => Text::new("WITHDRAWAL_PAID"),
                PaymentKind::Subscription => Text::new("SUBSCRIPTION_COMPLETED")
                    .with("amount", self.amount.to_json_literal()),
            },
            State::Failed(failure) => Text::new(failure.text_key()),
            State::Expired if self.kind == PaymentKind::Subscription => {
                Text::new("PAYMENT_EXPIRED_PACKAGE")
            }
            State::Expired => Text::new("PAYMENT_EXPIRED"),
            State::Conflicted => Text::new("PAYMENT_CONFLICTED_MPESA"),
        }
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    fn payment(state: State) -> Payment {
        let (clock, rng) = (Clock::system(), Rng::from_seed(1));
        let player = PlayerId::generate(&clock, &rng);
        Payment {
            id: PaymentId::generate(&clock, &rng),
            kind: PaymentKind::TopUp,
            method: Method::Mpesa,
            payer: player,
            beneficiary: player,
            amount: Money::from_shillings(100),
            fee: Money::ZERO,
            state,
            phone: Msisdn::parse("0712345678").ok(),
            page: None,
            detail: "M-Pesa".into(),
            package: None,
            review: None,
            created_at: clock.now(),
        }
    }

    fn paid(shillings: Option<i32>) -> Evidence {
        Evidence::Paid {
            receipt: Some("QKL1".into()),
            amount: shillings.map(Money::from_shillings),
            at: None,
        }
    }

    fn refused() -> Evidence {
        Evidence::Refused {
            refusal: ProviderRefusal { failure: Failure::WrongPin, code: "2001".into() },
        }
    }

    const OPEN: [State; 3] = [State::Created, State::Submitting, State::Submitted];
    const GIVEN_UP: [State; 2] = [State::Failed(Failure::NoAnswer), State::Expired];

    #[test]
    fn money_that_moved_is_credited_in_every_open_or_given_up_state() {
        for state in OPEN {
            assert_eq!(
                payment(state).decide(&paid(Some(100))),
                Decision::Credit { was_given_up: false }
            );
            assert_eq!(
                payment(state).decide(&paid(None)),
                Decision::Credit { was_given_up: false }
            );
        }
        for state in GIVEN_UP {
            assert_eq!(
                payment(state).decide(&paid(Some(100))),
                Decision::Credit { was_given_up: true }
            );
        }
    }

    #[test]
    fn another_amount_is_set_aside_and_never_credited() {
        let aside = Decision::SetAside { received: Money::from_shillings(1) };
        for state in OPEN.into_iter().chain(GIVEN_UP) {
            assert_eq!(payment(state).decide(&paid(Some(1))), aside, "{state:?}");
        }
    }

    #[test]
    fn a_refusal_fails_open_and_expired_payments() {
        for state in OPEN.into_iter().chain([State::Expired]) {
            assert_eq!(payment(state).decide(&refused()), Decision::Fail(Failure::WrongPin));
        }
        for state in [State::Failed(Failure::NoAnswer), State::Succeeded, State::Conflicted] {
            assert_eq!(payment(state).decide(&refused()), Decision::NoChange, "{state:?}");
        }
    }

    #[test]
    fn a_succeeded_payment_is_never_credited_again() {
        assert_eq!(payment(State::Succeeded).decide(&paid(Some(100))), Decision::NoChange);
        assert_eq!(payment(State::Succeeded).decide(&paid(Some(1))), Decision::NoChange);
    }

    /// Any order and any repetition of evidence credits or sets aside moved money exactly once, and
    /// money that did not move never.
    #[test]
    fn no_sequence_of_evidence_credits_twice_or_loses_a_payment() {
        // The fifth step is the expiry: no evidence came in time.
        let said = [paid(Some(100)), paid(None), paid(Some(1)), refused()];
        for sequence in 0..5_usize.pow(5) {
            let (mut state, mut posted, mut moved) = (State::Submitted, 0, false);
            for step in 0..5_u32 {
                let Some(evidence) = said.get(sequence / 5_usize.pow(step) % 5) else {
                    state = if state.is_final() { state } else { State::Expired };
                    continue;
                };
                moved |= matches!(evidence, Evidence::Paid { .. });
                match payment(state).decide(evidence) {
                    Decision::Credit { .. } => (state, posted) = (State::Succeeded, posted + 1),
                    Decision::SetAside { .. } => (state, posted) = (State::Conflicted, posted + 1),
                    Decision::Fail(failure) => state = State::Failed(failure),
                    Decision::NoChange => {}
                }
            }
            assert_eq!(posted, u32::from(moved), "{sequence}: {state:?}");
        }
    }

    #[test]
    fn a_boost_is_told_with_the_name_on_its_receipt() {
        let detail = Payment::boost_detail("amina");
        assert_eq!(detail, "Boost from amina");
        assert_eq!(Payment { detail, ..payment(State::Succeeded) }.boosted_by(), "amina");
    }

    #[test]
    fn the_text_names_the_phone_that_has_the_prompt() {
        let text = Text::new("PAYMENT_PROMPT_ON_PHONE").with("phone", "0712 … 678");
        assert_eq!(payment(State::Submitted).text(), text);
    }
}
