//! Random histories of one payment each, between two replicas and a provider that loses, repeats,
//! delays and reorders its messages, while replicas die at any step. The rules under test are
//! [`Payment::decide`] and [`Payment::decide_payout`], and that a payout is claimed before it is
//! sent; rows, ledger and provider are models. A failure names its seed: `SEED=… cargo test
//! --workspace --lib histories`.

use types::{Clock, Money, Msisdn, PlayerId, Rng};

use super::{
    Decision, Evidence, Failure, Method, Payment, PaymentId, PaymentKind, PayoutDecision,
    ProviderRefusal, State,
};

const HISTORIES: u64 = 100_000;
/// Steps of a history, before all remaining messages arrive.
const STEPS: usize = 40;
const AMOUNT: Money = Money::from_shillings(100);
const FEE: Money = Money::from_shillings(10);
/// The wallet's balance before a withdrawal, in cents.
const BEFORE: i64 = 15_000;

#[test]
fn a_hundred_thousand_histories_end_with_the_ledger_and_the_provider_in_agreement() {
    let only = std::env::var("SEED").ok().map(|seed| seed.parse().expect("a number"));
    for seed in only.map_or(0..HISTORIES, |seed| seed..seed + 1) {
        let mut history = History::new(seed);
        for _ in 0..STEPS {
            history.step();
            history.check_always(seed);
        }
        history.let_all_arrive();
        history.check_end(seed);
    }
}

/// The state of a replica.
#[derive(Clone, Copy, PartialEq)]
enum Replica {
    Idle,
    /// The replica has claimed the payment, and is about to send it.
    Claimed,
    /// The replica has sent the payment, and is about to store the provider's reply.
    Sent {
        arrived: bool,
    },
}

/// The provider's side of the payment.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Not,
    Open,
    Paid(Money),
    Refused,
}

struct History {
    rng: Rng,
    payment: Payment,
    /// Whether the outbox row is stored. The database survives a crash.
    row: bool,
    wallet: i64,
    held: i64,
    /// Money on which an operator decides.
    suspense: i64,
    /// PlayOn's account at the provider, by PlayOn's own book.
    utility: i64,
    /// Fees that were charged for withdrawals.
    fees: i64,
    replicas: [Replica; 2],
    asked: Asked,
    /// Number of requests that the provider has received.
    requests: u32,
    /// Callbacks and replies to queries that are on their way.
    under_way: Vec<Evidence>,
    /// Whether the provider will, rarely, report a refusal and pay afterwards.
    is_liar: bool,
    /// The balance of the provider's own book, in cents.
    book: i64,
}

impl History {
    fn new(seed: u64) -> Self {
        let rng = Rng::from_seed(seed);
        let clock = Clock::system();
        let player = PlayerId::generate(&clock, &rng);
        let mut history = Self {
            payment: Payment {
                id: PaymentId::generate(&clock, &rng),
                kind: PaymentKind::TopUp,
                method: Method::Mpesa,
                payer: player,
                beneficiary: player,
                amount: AMOUNT,
                fee: Money::ZERO,
                state: State::Created,
                phone: Msisdn::parse("0712345678").ok(),
                page: None,
                detail: String::new(),
                package: None,
                review: None,
                created_at: clock.now(),
            },
            row: true,
            wallet: 0,
            held: 0,
            suspense: 0,
            utility: 0,
            fees: 0,
            replicas: [Replica::Idle; 2],
            asked: Asked::Not,
            requests: 0,
            under_way: Vec::new(),
            is_liar: false,
            book: 0,
            rng,
        };
        history.is_liar = history.one_in(20);
        if history.one_in(2) {
            history.payment.kind = PaymentKind::Withdrawal;
            history.payment.fee = FEE;
            history.wallet = BEFORE;
            history.held = (AMOUNT.cents()) + FEE.cents();
        }
        history
    }

    fn is_payout(&self) -> bool {
        self.payment.kind == PaymentKind::Withdrawal
    }

    fn below(&self, limit: u16) -> u16 {
        u16::from_be_bytes(self.rng.bytes()) % limit
    }

    fn one_in(&self, chances: u16) -> bool {
        self.below(chances) == 0
    }

    fn step(&mut self) {
        let replica = usize::from(self.below(2));
        match self.below(12) {
            0..=4 => self.work(replica),
            5 | 6 => self.provide(),
            7 | 8 => self.arrive(),
            9 => self.query(),
            // The replica dies: its work is lost, and the row's lease ends.
            10 => self.replicas[replica] = Replica::Idle,
            _ => self.expire(),
        }
    }

    /// Takes the next step of a delivery.
    fn work(&mut self, replica: usize) {
        self.replicas[replica] = match self.replicas[replica] {
            Replica::Idle if self.row && self.payment.state == State::Created => {
                self.payment.state = State::Submitting;
                Replica::Claimed
            }
            Replica::Idle => {
                // Another delivery claimed the payment, or it has ended.
                self.row = false;
                Replica::Idle
            }
            Replica::Claimed => {
                let arrived = !self.one_in(4);
                if arrived {
                    self.requests += 1;
                    self.asked = Asked::Open;
                }
                Replica::Sent { arrived }
            }
            Replica::Sent { arrived: true } => {
                // The provider's reply may be lost.
                if !self.one_in(4) && self.payment.state == State::Submitting {
                    self.payment.state = State::Submitted;
                }
                self.row = false;
                Replica::Idle
            }
            Replica::Sent { arrived: false } => {
                // A refused connection is known not to have arrived, a time-out is not. The row may
                // be gone: the other replica removed it while this one was sending.
                if self.one_in(2) && self.payment.state == State::Submitting {
                    self.payment.state = State::Created;
                    self.row = true;
                }
                Replica::Idle
            }
        };
    }

    /// Makes the provider decide, and post its callback never, once or several times.
    fn provide(&mut self) {
        let paid = if self.one_in(30) { Money::from_shillings(90) } else { AMOUNT };
        match self.asked {
            Asked::Open if self.one_in(2) => self.pay(paid),
            Asked::Open => {
                self.asked = Asked::Refused;
                self.post(&refused());
            }
            Asked::Refused if self.is_liar => self.pay(AMOUNT),
            _ => {}
        }
    }

    fn pay(&mut self, amount: Money) {
        self.asked = Asked::Paid(amount);
        self.book += if self.is_payout() { -amount.cents() } else { amount.cents() };
        self.post(&paid(amount));
    }

    fn post(&mut self, evidence: &Evidence) {
        for _ in 0..self.below(4) {
            self.under_way.push(evidence.clone());
        }
    }

    /// Delivers one message, in any order. The replica may die before its commit; then a provider
    /// posts the message again, or does not.
    fn arrive(&mut self) {
        let Ok(waiting) = u16::try_from(self.under_way.len()) else { return };
        if waiting == 0 {
            return;
        }
        let evidence = self.under_way.swap_remove(self.below(waiting).into());
        if self.one_in(5) {
            if self.one_in(2) {
                self.under_way.push(evidence);
            }
            return;
        }
        self.apply(&evidence);
    }

    /// Sends a query, whose reply may arrive much later.
    fn query(&mut self) {
        if matches!(self.payment.state, State::Created) {
            return;
        }
        self.under_way.extend(self.answer());
    }

    fn answer(&self) -> Option<Evidence> {
        match self.asked {
            Asked::Paid(amount) => Some(paid(amount)),
            Asked::Refused => Some(refused()),
            Asked::Not | Asked::Open => None,
        }
    }

    /// Expires a top-up; a withdrawal never expires.
    fn expire(&mut self) {
        if !self.is_payout() && !self.payment.state.is_final() && self.one_in(4) {
            self.payment.state = State::Expired;
        }
    }

    /// Applies evidence in one transaction: the decision, its postings and the state.
    fn apply(&mut self, evidence: &Evidence) {
        if self.is_payout() {
            self.apply_to_payout(evidence);
            return;
        }
        match self.payment.decide(evidence) {
            Decision::Credit { .. } => {
                self.utility += AMOUNT.cents();
                self.wallet += AMOUNT.cents();
                self.payment.state = State::Succeeded;
            }
            Decision::SetAside { received } => {
                self.utility += received.cents();
                self.suspense += received.cents();
                self.payment.state = State::Conflicted;
            }
            Decision::Fail(failure) => self.payment.state = State::Failed(failure),
            Decision::NoChange => {}
        }
    }

    fn apply_to_payout(&mut self, evidence: &Evidence) {
        let all = AMOUNT.cents() + FEE.cents();
        match self.payment.decide_payout(evidence) {
            PayoutDecision::Pay => {
                self.held -= all;
                self.wallet -= all;
                self.fees += FEE.cents();
                self.utility -= AMOUNT.cents();
                self.payment.state = State::Succeeded;
            }
            PayoutDecision::GiveBack(failure) => {
                self.held -= all;
                self.payment.state = State::Failed(failure);
            }
            PayoutDecision::PaidAfterFailure => {
                self.suspense -= AMOUNT.cents();
                self.utility -= AMOUNT.cents();
                self.payment.state = State::Conflicted;
            }
            // The money stays held, as an operator's case.
            PayoutDecision::OtherAmount { .. } | PayoutDecision::NoChange => {}
        }
    }

    /// Delivers all messages, and answers the queries at last.
    fn let_all_arrive(&mut self) {
        self.replicas = [Replica::Idle; 2];
        while let Some(evidence) = self.under_way.pop() {
            self.apply(&evidence);
        }
        if let Some(evidence) = self.answer() {
            self.apply(&evidence);
        }
    }

    fn check_always(&self, seed: u64) {
        assert!(self.wallet >= self.held && self.held >= 0, "SEED={seed}: more held than there");
        assert!(self.requests <= 1, "SEED={seed}: sent twice");
        let all = self.wallet + self.suspense + self.fees;
        let before = if self.is_payout() { BEFORE } else { 0 };
        assert_eq!(all, before + self.utility, "SEED={seed}: money was made or lost");
    }

    fn check_end(&self, seed: u64) {
        self.check_always(seed);
        let state = self.payment.state;
        let other_amount = matches!(self.asked, Asked::Paid(amount) if amount != AMOUNT);
        if self.is_payout() && other_amount {
            assert!(!state.is_final() && self.held > 0, "SEED={seed}: {state:?}, and not held");
            return;
        }
        assert_eq!(self.utility, self.book, "SEED={seed}: the two books differ, {state:?}");
        match self.asked {
            Asked::Paid(_) => assert!(
                matches!(state, State::Succeeded | State::Conflicted),
                "SEED={seed}: paid, and {state:?}"
            ),
            Asked::Refused => assert!(
                matches!(state, State::Failed(Failure::Cancelled)),
                "SEED={seed}: refused, and {state:?}"
            ),
            Asked::Not | Asked::Open => assert!(
                !state.is_final() || state == State::Expired,
                "SEED={seed}: nothing was said, and {state:?}"
            ),
        }
        if self.is_payout() {
            assert_eq!(self.held == 0, state.is_final(), "SEED={seed}: {state:?}, {}", self.held);
            assert!(state != State::Created || self.row, "SEED={seed}: nothing will send it");
        }
    }
}

fn paid(amount: Money) -> Evidence {
    Evidence::Paid { receipt: Some("QKL1".into()), amount: Some(amount), at: None }
}

fn refused() -> Evidence {
    let refusal = ProviderRefusal { failure: Failure::Cancelled, code: "1032".into() };
    Evidence::Refused { refusal }
}
