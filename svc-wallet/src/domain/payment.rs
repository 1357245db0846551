//! A payment and its life.
//!
//! ```text
//! CREATED ─► SUBMITTING ─► SUBMITTED     open, in this order
//!
//!   from any of them ─► SUCCEEDED        the money moved
//!                    ─► CONFLICTED       another amount moved
//!                    ─► FAILED           the provider said no
//!                    ─► EXPIRED ─► FAILED
//!   FAILED, EXPIRED  ─► SUCCEEDED, CONFLICTED   it moved after all
//! ```
//!
//! Evidence may come at any moment, in any order and more than once, even before
//! our own record that we asked. Money that moved always wins: what was given up
//! becomes SUCCEEDED when the provider shows that it was paid.

use time::OffsetDateTime;
use types::{Id, Money, Msisdn, Noun, PlayerId};

use super::{Evidence, Method, Refusal};

/// The noun of [`PaymentId`].
pub enum PaymentNoun {}
impl Noun for PaymentNoun {
    const NAME: &'static str = "payment";
}

/// A payment's id.
pub type PaymentId = Id<PaymentNoun>;

/// What a payment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Into the payer's own wallet.
    TopUp,
    /// Into a friend's wallet.
    Boost,
}

/// Where a payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Written down; nobody asked yet.
    Created,
    /// The provider is being asked, or was when we died.
    Submitting,
    /// The provider has it.
    Submitted,
    /// The money moved, and the ledger says so.
    Succeeded,
    /// The provider said no.
    Failed(Failure),
    /// Nobody said anything for long enough.
    Expired,
    /// The provider moved another amount than we asked for.
    Conflicted,
}

/// Why the provider said no, as far as a player can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The player pressed Cancel.
    Cancelled,
    /// The player typed another PIN.
    WrongPin,
    /// The player's M-Pesa balance is too low.
    LowFunds,
    /// The prompt reached no phone, or nobody answered it.
    NoAnswer,
    /// The number has no M-Pesa.
    NotMpesa,
    /// The phone has another M-Pesa session open.
    PhoneBusy,
    /// Over a limit of M-Pesa's.
    OverMpesaLimit,
    /// The same amount a moment ago.
    TooSoon,
    /// M-Pesa could not be reached, so nothing was asked.
    Unreachable,
    /// M-Pesa's or our own trouble.
    Trouble,
}

/// A payment as the rules see it.
#[derive(Debug, Clone)]
pub struct Payment {
    /// Its id.
    pub id: PaymentId,
    /// What it is for.
    pub kind: Kind,
    /// How it is paid.
    pub method: Method,
    /// Who pays.
    pub payer: PlayerId,
    /// Whose wallet grows.
    pub beneficiary: PlayerId,
    /// How much, without the fee.
    pub amount: Money,
    /// What the player pays on top.
    pub fee: Money,
    /// Where it stands.
    pub state: State,
    /// The phone that is asked; M-Pesa only.
    pub phone: Option<Msisdn>,
    /// The line on the receipt of whoever gets the money.
    pub detail: String,
    /// When it was asked for.
    pub begun: OffsetDateTime,
}

/// What evidence makes of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Credit the beneficiary: SUCCEEDED. `surprising` when we had given it up.
    Credit {
        /// We had told the player otherwise.
        surprising: bool,
    },
    /// Another amount came in: put it aside for a human, CONFLICTED.
    SetAside {
        /// What came in.
        received: Money,
    },
    /// End it without money: FAILED.
    Fail(Failure),
    /// It is settled; only a receipt may be added.
    Nothing,
}

impl State {
    /// Nothing more is expected to happen.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Created | Self::Submitting | Self::Submitted)
    }
}

impl Payment {
    /// What `evidence` makes of this payment. The only place where a payment's
    /// end is decided, whoever brings the evidence.
    pub fn judge(&self, evidence: &Evidence) -> Verdict {
        match (self.state, evidence) {
            (State::Succeeded | State::Conflicted, _) => Verdict::Nothing,
            (_, Evidence::Paid { amount: Some(received), .. }) if *received != self.amount => {
                Verdict::SetAside { received: *received }
            }
            (State::Failed(_) | State::Expired, Evidence::Paid { .. }) => {
                Verdict::Credit { surprising: true }
            }
            (State::Created | State::Submitting | State::Submitted, Evidence::Paid { .. }) => {
                Verdict::Credit { surprising: false }
            }
            (State::Failed(_), Evidence::Refused { .. }) => Verdict::Nothing,
            (
                State::Created | State::Submitting | State::Submitted | State::Expired,
                Evidence::Refused { refusal: Refusal { failure, .. } },
            ) => Verdict::Fail(*failure),
        }
    }

    /// What the player is told of it right now.
    pub fn message(&self) -> String {
        match self.state {
            State::Created | State::Submitting => "We are asking M-Pesa to call your phone.".into(),
            State::Submitted => match &self.phone {
                Some(phone) => format!("Enter your M-Pesa PIN on {}.", phone.masked()),
                None => "Your payment is being processed.".into(),
            },
            State::Succeeded => match self.kind {
                Kind::TopUp => "Top up request was processed successfully!".into(),
                Kind::Boost => format!(
                    "You just boosted your friend kes {}. That's what friends are for!",
                    self.amount.to_json_literal()
                ),
            },
            State::Failed(failure) => failure.message().into(),
            State::Expired => "We heard nothing from M-Pesa, so we stopped waiting. If money \
                               left your phone, it will still reach your wallet."
                .into(),
            State::Conflicted => "M-Pesa reported another amount than yours. We are looking into \
                                  it and will put it right."
                .into(),
        }
    }
}

impl Failure {
    /// What happened and what to do next, in the player's words.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Cancelled => "You cancelled the request on your phone. No money was moved.",
            Self::WrongPin => "That M-Pesa PIN was wrong. No money was moved. Please try again.",
            Self::LowFunds => {
                "Your M-Pesa balance is too low. Add money to M-Pesa or choose a smaller amount."
            }
            Self::NoAnswer => {
                "Nobody answered the request on your phone. Check that it is on, and try again."
            }
            Self::NotMpesa => {
                "M-Pesa does not know that number. No money was moved. Please use another number."
            }
            Self::PhoneBusy => {
                "Your phone has another M-Pesa request open. Finish it and try again in a minute."
            }
            Self::OverMpesaLimit => {
                "That is more than M-Pesa allows you today. Choose a smaller amount."
            }
            Self::TooSoon => "You paid the same amount a moment ago. Please wait two minutes.",
            Self::Unreachable => {
                "We could not reach M-Pesa. No money was moved. Please try again in a moment."
            }
            Self::Trouble => "M-Pesa could not do that. No money was moved. Please try again.",
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
            kind: Kind::TopUp,
            method: Method::Mpesa,
            payer: player,
            beneficiary: player,
            amount: Money::from_shillings(100),
            fee: Money::ZERO,
            state,
            phone: Msisdn::parse("0712345678").ok(),
            detail: "M-Pesa".into(),
            begun: clock.now(),
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
        Evidence::Refused { refusal: Refusal { failure: Failure::WrongPin, code: "2001".into() } }
    }

    const OPEN: [State; 3] = [State::Created, State::Submitting, State::Submitted];
    const GIVEN_UP: [State; 2] = [State::Failed(Failure::NoAnswer), State::Expired];

    #[test]
    fn money_that_moved_is_credited_whenever_the_news_comes() {
        for state in OPEN {
            assert_eq!(
                payment(state).judge(&paid(Some(100))),
                Verdict::Credit { surprising: false }
            );
            assert_eq!(payment(state).judge(&paid(None)), Verdict::Credit { surprising: false });
        }
        for state in GIVEN_UP {
            assert_eq!(
                payment(state).judge(&paid(Some(100))),
                Verdict::Credit { surprising: true }
            );
        }
    }

    #[test]
    fn another_amount_is_put_aside_and_never_credited() {
        let aside = Verdict::SetAside { received: Money::from_shillings(1) };
        for state in OPEN.into_iter().chain(GIVEN_UP) {
            assert_eq!(payment(state).judge(&paid(Some(1))), aside, "{state:?}");
        }
    }

    #[test]
    fn a_refusal_ends_what_is_open_and_explains_what_expired() {
        for state in OPEN.into_iter().chain([State::Expired]) {
            assert_eq!(payment(state).judge(&refused()), Verdict::Fail(Failure::WrongPin));
        }
        for state in [State::Failed(Failure::NoAnswer), State::Succeeded, State::Conflicted] {
            assert_eq!(payment(state).judge(&refused()), Verdict::Nothing, "{state:?}");
        }
    }

    #[test]
    fn what_succeeded_is_never_credited_again() {
        assert_eq!(payment(State::Succeeded).judge(&paid(Some(100))), Verdict::Nothing);
        assert_eq!(payment(State::Succeeded).judge(&paid(Some(1))), Verdict::Nothing);
    }

    #[test]
    fn the_waiting_player_is_told_which_phone_to_look_at() {
        let message = payment(State::Submitted).message();
        assert_eq!(message, "Enter your M-Pesa PIN on 0712 … 678.");
    }
}
