use proptest::prelude::*;
use types::{Clock, Rng};

use super::*;

const AMOUNT: Money = Money::from_shillings(100);
const REVERSED: ReversalEvent = ReversalEvent::Reversed { amount: Some(AMOUNT) };

/// A reversal, and a count of what the store did for it.
struct Model {
    reversal: MpesaReversal,
    calls: usize,
    returned: usize,
    succeeded: usize,
    cases: usize,
}

impl Model {
    fn new() -> Self {
        let (clock, rng) = (Clock::system(), Rng::system());
        let reversal = MpesaReversal {
            id: MpesaReversalId::generate(&clock, &rng),
            payment: PaymentId::generate(&clock, &rng),
            receipt: "R1".to_owned(),
            amount: AMOUNT,
            source: ReversalSource::Wallet,
            state: ReversalState::Created,
            attempts: 0,
            submitted_at: None,
            queries: 0,
            leased_until: None,
            case: None,
            traceparent: None,
        };
        Self { reversal, calls: 0, returned: 0, succeeded: 0, cases: 0 }
    }

    /// Does what the store does with the decision.
    fn apply(&mut self, event: ReversalEvent) {
        match self.reversal.decide(event) {
            ReversalDecision::Move(state) => {
                if state == ReversalState::Submitting {
                    self.reversal.attempts += 1;
                    self.calls += 1;
                }
                if event == ReversalEvent::NotSent {
                    self.reversal.attempts -= 1;
                }
                self.reversal.state = state;
            }
            ReversalDecision::Succeed => {
                self.succeeded += 1;
                self.reversal.state = ReversalState::Succeeded;
            }
            ReversalDecision::GiveBack => {
                self.returned += 1;
                self.reversal.state = ReversalState::Failed;
            }
            ReversalDecision::OtherAmount { .. } => {
                self.cases += 1;
                self.reversal.state = ReversalState::Unknown;
                self.reversal.case = Some(ReversalCase::OtherAmount);
            }
            ReversalDecision::ReceiptUsed => {
                self.cases += 1;
                self.reversal.state = ReversalState::Unknown;
            }
            ReversalDecision::ReversedAfterFailure => self.cases += 1,
            ReversalDecision::NoChange => {}
        }
    }

    fn after(events: &[ReversalEvent]) -> Self {
        let mut model = Self::new();
        for event in events {
            model.apply(*event);
        }
        model
    }
}

fn event() -> impl Strategy<Value = ReversalEvent> {
    use ReversalEvent::{
        Accepted, Claimed, Confirmed, Doubtful, GivenUp, NotSent, Overdue, ReceiptUsed, Refused,
        Released, Resent, Reversed,
    };
    prop::sample::select(vec![
        Claimed,
        NotSent,
        GivenUp,
        Accepted,
        Doubtful,
        Overdue,
        REVERSED,
        Reversed { amount: None },
        Reversed { amount: Some(Money::from_shillings(99)) },
        ReceiptUsed,
        Refused,
        Resent,
        Confirmed,
        Released,
    ])
}

/// Generates these events, each once or more, in any order.
fn in_any_order(events: &[ReversalEvent]) -> impl Strategy<Value = Vec<ReversalEvent>> + use<> {
    let events = events.to_vec();
    prop::collection::vec(1..4_usize, events.len())
        .prop_map(move |counts| {
            let pairs = events.iter().zip(counts);
            pairs.flat_map(|(event, count)| std::iter::repeat_n(*event, count)).collect::<Vec<_>>()
        })
        .prop_shuffle()
}

proptest! {
    #[test]
    fn whatever_happens_it_ends_once_and_is_sent_again_by_an_operator_alone(
        events in prop::collection::vec(event(), 0..40)
    ) {
        let mut model = Model::new();
        let mut allowed = 1;
        for event in events {
            let before = model.reversal.state;
            model.apply(event);
            if matches!(event, ReversalEvent::NotSent | ReversalEvent::Resent) {
                allowed += 1;
            }
            let is_final = matches!(before, ReversalState::Succeeded | ReversalState::Failed);
            prop_assert!(!is_final || model.reversal.state == before);
            prop_assert!(model.returned + model.succeeded <= 1);
            prop_assert_eq!(model.returned == 1, model.reversal.state == ReversalState::Failed);
            prop_assert_eq!(model.succeeded == 1, model.reversal.state == ReversalState::Succeeded);
            prop_assert!(model.calls <= allowed);
        }
    }

    #[test]
    fn one_that_was_carried_out_succeeds_in_whatever_order_it_is_said(
        said in in_any_order(&[
            ReversalEvent::Accepted, ReversalEvent::Doubtful, ReversalEvent::Overdue, REVERSED,
        ])
    ) {
        let model = Model::after(&[&[ReversalEvent::Claimed][..], &said].concat());
        prop_assert_eq!(model.reversal.state, ReversalState::Succeeded);
        prop_assert_eq!((model.calls, model.returned, model.cases), (1, 0, 0));
    }

    #[test]
    fn one_that_was_refused_gives_back_once_in_whatever_order_it_is_said(
        said in in_any_order(&[
            ReversalEvent::Accepted, ReversalEvent::Doubtful, ReversalEvent::Overdue,
            ReversalEvent::Refused,
        ])
    ) {
        let model = Model::after(&[&[ReversalEvent::Claimed][..], &said].concat());
        prop_assert_eq!(model.reversal.state, ReversalState::Failed);
        prop_assert_eq!((model.calls, model.returned, model.cases), (1, 1, 0));
    }

    #[test]
    fn a_doubtful_one_is_not_sent_again(
        said in in_any_order(&[
            ReversalEvent::Claimed, ReversalEvent::Doubtful, ReversalEvent::Overdue,
            ReversalEvent::GivenUp, ReversalEvent::NotSent,
        ])
    ) {
        let doubtful = [ReversalEvent::Claimed, ReversalEvent::Doubtful];
        let model = Model::after(&[&doubtful[..], &said].concat());
        prop_assert_eq!(model.reversal.state, ReversalState::Unknown);
        prop_assert_eq!((model.calls, model.returned, model.succeeded), (1, 0, 0));
    }
}

#[test]
fn after_a_second_call_no_refusal_gives_the_money_back() {
    use ReversalEvent::{Claimed, Doubtful, GivenUp, Refused, Released, Resent};
    let again = [Claimed, Doubtful, Resent, Claimed, Refused];
    let mut model = Model::after(&again);
    assert_eq!(model.reversal.state, ReversalState::Unknown);
    model.apply(Released);
    assert_eq!(model.returned, 1);
    // M-Pesa has the reversal from the first call.
    let mut model = Model::after(&[Claimed, Doubtful, Resent, Claimed]);
    model.apply(ReversalEvent::Reversed { amount: None });
    assert_eq!(model.succeeded, 1);
    // A reversal that cannot be sent again is still unknown; one that was never sent is not.
    assert_eq!(
        Model::after(&[Claimed, Doubtful, Resent, GivenUp]).reversal.state,
        ReversalState::Unknown
    );
    assert_eq!(Model::after(&[GivenUp]).returned, 1);
}

#[test]
fn what_contradicts_the_end_is_a_case() {
    use ReversalEvent::{Claimed, Refused};
    let model = Model::after(&[Claimed, Refused, REVERSED]);
    assert_eq!((model.reversal.state, model.cases), (ReversalState::Failed, 1));
    let other = ReversalEvent::Reversed { amount: Some(Money::from_shillings(99)) };
    let model = Model::after(&[Claimed, other]);
    assert_eq!((model.reversal.state, model.cases), (ReversalState::Unknown, 1));
    let model = Model::after(&[Claimed, ReversalEvent::ReceiptUsed]);
    assert_eq!((model.reversal.state, model.cases), (ReversalState::Unknown, 1));
}

#[test]
fn only_an_operator_ends_one_of_another_amount() {
    use ReversalEvent::{Claimed, Confirmed, Overdue, Refused, Released, Resent, Reversed};
    let other = Reversed { amount: Some(Money::from_shillings(50)) };
    let later = [Reversed { amount: None }, REVERSED, Refused, Overdue, Resent, other];
    let mut model = Model::after(&[&[Claimed, other][..], &later].concat());
    assert_eq!((model.reversal.state, model.cases), (ReversalState::Unknown, 1));
    model.apply(Confirmed);
    assert_eq!(model.succeeded, 1);
    let model = Model::after(&[Claimed, other, Released]);
    assert_eq!(model.returned, 1);
}

#[test]
fn codes_of_a_busy_or_unknown_system_say_nothing_of_the_money() {
    for code in ["15", "17", "26", "99", ""] {
        assert_eq!(ReversalResult::parse(code), ReversalResult::Unknown, "{code}");
    }
    assert_eq!(ReversalResult::parse("R000001"), ReversalResult::AlreadyReversed);
    assert_eq!(ReversalResult::parse("R000002"), ReversalResult::Refused);
}
