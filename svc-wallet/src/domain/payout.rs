//! The rules of a withdrawal's end.
//!
//! ```text
//! CREATED ─► SUBMITTING ─► SUBMITTED     open: the amount and the fee are held
//! SUBMITTING ─► CREATED                  Daraja was out of reach, and did not get it
//! HELD    ─► CREATED                     an operator looked at it
//!
//!   from any of them ─► SUCCEEDED        the money left: the hold is spent
//!                    ─► FAILED           the money did not leave, and will not: the hold is free
//!   FAILED           ─► CONFLICTED       the money left after all: the amount is in suspense
//! ```
//!
//! An open withdrawal never expires, because money that may have left must not be free to
//! be spent. A payout whose outcome is unknown stays open until the provider or an operator
//! says what became of it, and is never sent again.

use types::{Money, Text};

use super::{Evidence, Failure, Payment, ProviderRefusal, State};

/// The decision that follows from evidence about a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PayoutDecision {
    /// Spend the hold: SUCCEEDED.
    Pay,
    /// Release the hold: FAILED.
    GiveBack(Failure),
    /// The money left after the hold was released: CONFLICTED, and an operator's case.
    PaidAfterFailure,
    /// Another amount left than we asked for. The withdrawal stays open, as an operator's case.
    OtherAmount { sent: Money },
    /// The withdrawal has ended; only a receipt may be added.
    NoChange,
}

impl PayoutDecision {
    /// The decision in a trace; of money that is given back, why.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pay => "SUCCEEDED",
            Self::GiveBack(failure) => failure.into(),
            Self::PaidAfterFailure => "PAID_AFTER_FAILURE",
            Self::OtherAmount { .. } => "OTHER_AMOUNT",
            Self::NoChange => "NO_CHANGE",
        }
    }
}

/// Why an operator must look at a payout. A payout that was paid twice has a second receipt. The
/// texts are the values of the column `b2c_payout.case_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PayoutCase {
    /// Daraja has had no result for a day.
    Unknown,
    /// Another amount left than we asked for.
    OtherAmount,
    /// The payout was given back, and left after all.
    PaidAfterFailure,
}

/// The meaning of a `ResultCode` of M-Pesa's B2C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PayoutResult {
    /// The money left.
    Paid,
    /// The money did not leave, for this reason.
    Refused(Failure),
    /// The money did not leave, because of our set-up at M-Pesa: an operator must correct it.
    Misconfigured,
    /// The code does not say whether money left: Daraja is queried.
    Unknown,
}

impl PayoutResult {
    /// Parses a result code.
    pub(crate) fn parse(code: &str) -> Self {
        match code {
            "0" => Self::Paid,
            "1" => Self::Refused(Failure::FloatLow),
            "2" | "3" => Self::Refused(Failure::ProviderError),
            "4" | "8" => Self::Refused(Failure::RecipientLimit),
            "2006" | "2040" | "SFC_IC0003" => Self::Refused(Failure::NotMpesa),
            "11" | "18" | "20" | "21" | "24" | "25" | "2001" | "2028" | "8006" => {
                Self::Misconfigured
            }
            // 15 is a duplicate of a payout that may have been paid, 17 an internal failure and 26
            // a busy system: none says whether money moved.
            _ => Self::Unknown,
        }
    }
}

impl Payment {
    /// Returns the decision that follows from `evidence`. Only this function decides a
    /// withdrawal's end.
    pub(crate) fn decide_payout(&self, evidence: &Evidence) -> PayoutDecision {
        match (self.state, evidence) {
            (State::Succeeded | State::Expired | State::Conflicted, _)
            | (State::Failed(_), Evidence::Refused { .. }) => PayoutDecision::NoChange,
            (State::Failed(_), Evidence::Paid { .. }) => PayoutDecision::PaidAfterFailure,
            (
                State::Created | State::Held | State::Submitting | State::Submitted,
                Evidence::Paid { amount, .. },
            ) => match amount {
                Some(sent) if *sent != self.amount => PayoutDecision::OtherAmount { sent: *sent },
                _ => PayoutDecision::Pay,
            },
            (
                State::Created | State::Held | State::Submitting | State::Submitted,
                Evidence::Refused { refusal: ProviderRefusal { failure, .. } },
            ) => PayoutDecision::GiveBack(*failure),
        }
    }

    /// The status text of a withdrawal.
    pub(super) fn withdrawal_text(&self) -> Text {
        match self.state {
            State::Held => match &self.review {
                Some(review) => review.text(),
                None => Text::new("WITHDRAWAL_HELD"),
            },
            State::Created | State::Submitting => Text::new("WITHDRAWAL_SENDING"),
            State::Submitted | State::Expired => match &self.phone {
                Some(phone) => Text::new("WITHDRAWAL_ON_ITS_WAY_TO").with("phone", phone.masked()),
                None => Text::new("WITHDRAWAL_ON_ITS_WAY"),
            },
            State::Succeeded => Text::new("WITHDRAWAL_PAID"),
            State::Failed(failure) => Text::new(match failure {
                Failure::NotMpesa => "WITHDRAWAL_NOT_MPESA",
                Failure::RecipientLimit => "WITHDRAWAL_RECIPIENT_LIMIT",
                Failure::FloatLow => "WITHDRAWAL_FLOAT_LOW",
                _ => "WITHDRAWAL_FAILED",
            }),
            State::Conflicted => Text::new("WITHDRAWAL_CONFLICTED"),
        }
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Msisdn, PlayerId, Rng};

    use super::*;
    use crate::domain::{Method, PaymentId, PaymentKind};

    fn withdrawal(state: State) -> Payment {
        let (clock, rng) = (Clock::system(), Rng::from_seed(1));
        let player = PlayerId::generate(&clock, &rng);
        Payment {
            id: PaymentId::generate(&clock, &rng),
            kind: PaymentKind::Withdrawal,
            method: Method::Mpesa,
            payer: player,
            beneficiary: player,
            amount: Money::from_shillings(100),
            fee: Money::from_shillings(5),
            state,
            phone: Msisdn::parse("0712345678").ok(),
            page: None,
            detail: String::new(),
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
            refusal: ProviderRefusal { failure: Failure::NotMpesa, code: "2040".into() },
        }
    }

    const OPEN: [State; 4] = [State::Created, State::Held, State::Submitting, State::Submitted];

    #[test]
    fn the_first_outcome_ends_an_open_withdrawal() {
        for state in OPEN {
            assert_eq!(withdrawal(state).decide_payout(&paid(Some(100))), PayoutDecision::Pay);
            assert_eq!(withdrawal(state).decide_payout(&paid(None)), PayoutDecision::Pay);
            assert_eq!(
                withdrawal(state).decide_payout(&refused()),
                PayoutDecision::GiveBack(Failure::NotMpesa)
            );
        }
    }

    #[test]
    fn another_amount_leaves_it_open() {
        for state in OPEN {
            let sent = Money::from_shillings(1);
            assert_eq!(
                withdrawal(state).decide_payout(&paid(Some(1))),
                PayoutDecision::OtherAmount { sent },
                "{state:?}"
            );
        }
    }

    #[test]
    fn money_that_left_after_a_failure_is_a_case_once() {
        let failed = State::Failed(Failure::NotMpesa);
        assert_eq!(
            withdrawal(failed).decide_payout(&paid(Some(100))),
            PayoutDecision::PaidAfterFailure
        );
        assert_eq!(withdrawal(failed).decide_payout(&refused()), PayoutDecision::NoChange);
        for state in [State::Succeeded, State::Conflicted] {
            for evidence in [paid(Some(100)), paid(Some(1)), refused()] {
                let decision = withdrawal(state).decide_payout(&evidence);
                assert_eq!(decision, PayoutDecision::NoChange, "{state:?}");
            }
        }
    }

    /// Any order and any repetition of outcomes moves the hold exactly once.
    #[test]
    fn no_sequence_of_outcomes_moves_the_hold_twice() {
        let outcomes = [paid(Some(100)), paid(None), paid(Some(1)), refused()];
        for sequence in 0..4_usize.pow(5) {
            let (mut state, mut moves) = (State::Submitted, 0);
            for step in 0..5_u32 {
                let evidence = &outcomes[sequence / 4_usize.pow(step) % 4];
                match withdrawal(state).decide_payout(evidence) {
                    PayoutDecision::Pay => (state, moves) = (State::Succeeded, moves + 1),
                    PayoutDecision::GiveBack(failure) => {
                        (state, moves) = (State::Failed(failure), moves + 1);
                    }
                    PayoutDecision::PaidAfterFailure => state = State::Conflicted,
                    PayoutDecision::OtherAmount { .. } | PayoutDecision::NoChange => {}
                }
            }
            assert!(moves <= 1, "{sequence}");
            assert_eq!(moves == 1, state.is_final(), "{sequence}");
        }
    }

    #[test]
    fn a_code_that_does_not_speak_of_the_money_is_unknown() {
        for code in ["15", "17", "26", "", "4242"] {
            assert_eq!(PayoutResult::parse(code), PayoutResult::Unknown, "{code:?}");
        }
        assert_eq!(PayoutResult::parse("1"), PayoutResult::Refused(Failure::FloatLow));
        assert_eq!(PayoutResult::parse("2001"), PayoutResult::Misconfigured);
    }

    #[test]
    fn texts_say_where_the_money_is() {
        let text = |state| withdrawal(state).withdrawal_text();
        let on_its_way = Text::new("WITHDRAWAL_ON_ITS_WAY_TO").with("phone", "0712 … 678");
        assert_eq!(text(State::Submitted), on_its_way);
        assert_eq!(text(State::Succeeded), Text::new("WITHDRAWAL_PAID"));
        for (failure, key) in [
            (Failure::NotMpesa, "WITHDRAWAL_NOT_MPESA"),
            (Failure::FloatLow, "WITHDRAWAL_FLOAT_LOW"),
            (Failure::Unreachable, "WITHDRAWAL_FAILED"),
        ] {
            assert_eq!(text(State::Failed(failure)), Text::new(key));
        }
    }
}
