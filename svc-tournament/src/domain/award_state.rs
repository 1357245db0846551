//! The states of an award of money, and what operators decide about it.

use strum::{Display, EnumString};

/// The state of an award of money. The texts are the values of the column `award_given.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum AwardState {
    /// The award is paid once it was screened and its hold is over.
    Pending,
    /// The award waits until operators have decided about it.
    Review,
    /// svc-wallet has the award, or gets it by the outbox.
    Paid,
    /// An operator refused the award.
    Refused,
}

/// What an operator decides. The texts are values of the column `award_decision.decision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum AwardDecision {
    Review,
    Approve,
    Refuse,
}

impl AwardState {
    /// Returns the state after a decision; `None` where the award cannot get there: what was paid
    /// stays paid. A refused award can still be approved, after an appeal.
    pub(crate) const fn after(self, decision: AwardDecision) -> Option<Self> {
        match (decision, self) {
            (AwardDecision::Review, Self::Pending | Self::Review) => Some(Self::Review),
            (AwardDecision::Approve, _) => Some(Self::Paid),
            (AwardDecision::Refuse, Self::Pending | Self::Review | Self::Refused) => {
                Some(Self::Refused)
            }
            (AwardDecision::Review, Self::Paid | Self::Refused)
            | (AwardDecision::Refuse, Self::Paid) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_paid_stays_paid_and_a_refusal_can_be_taken_back() {
        use AwardDecision::{Approve, Refuse, Review};
        use AwardState::{Paid, Pending, Refused};
        for (state, decision, after) in [
            (Pending, Review, Some(AwardState::Review)),
            (Pending, Approve, Some(Paid)),
            (AwardState::Review, Refuse, Some(Refused)),
            (Refused, Approve, Some(Paid)),
            (Refused, Review, None),
            (Paid, Refuse, None),
            (Paid, Review, None),
            (Paid, Approve, Some(Paid)),
        ] {
            assert_eq!(state.after(decision), after, "{state} {decision}");
        }
    }
}
