//! Money from cards and from friends, and how much of it leaves before an operator looks: examples,
//! and any history against a model.

use std::time::Duration;

use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{OperationKind, OperationState},
};
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use crate::{
    boost::boost,
    operations::of_payment,
    world::{Player, World},
};

const WEEK: Duration = Duration::from_hours(7 * 24);
/// The cents of fresh money that leave in a week before an operator looks.
const FRESH_OVER: i64 = 100_000;
/// Number of histories, each with its own two players.
const CASES: usize = 3;
const STEPS: usize = 40;

#[derive(Debug, Clone)]
enum Step {
    ByCard(usize, i32),
    /// The player's last card payment is given back.
    Refund(usize),
    ByMpesa(usize, i32),
    Package(usize, i32),
    /// A boost from a player to the other one.
    Boost(usize, i32),
    Withdraw(usize, i32),
    /// An operator approves or releases the player's first withdrawal that is held.
    Decide(usize, bool),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let player = || 0..2_usize;
    prop_oneof![
        2 => (player(), 50..2_000).prop_map(|(player, amount)| Step::ByCard(player, amount)),
        1 => player().prop_map(Step::Refund),
        2 => (player(), 50..1_000).prop_map(|(player, amount)| Step::ByMpesa(player, amount)),
        2 => (player(), 50..600).prop_map(|(player, amount)| Step::Package(player, amount)),
        2 => (player(), 50..600).prop_map(|(player, amount)| Step::Boost(player, amount)),
        5 => (player(), 50..1_500).prop_map(|(player, amount)| Step::Withdraw(player, amount)),
        1 => (player(), any::<bool>()).prop_map(|(player, yes)| Step::Decide(player, yes)),
        2 => (1..60_u64).prop_map(Step::Wait),
    ]
}

/// How fresh money comes into a wallet, and leaves it.
#[derive(Debug, Clone)]
enum Moved {
    In(i64),
    /// A card payment with its journal; nothing is left of one that was given back.
    ByCard {
        journal: Uuid,
        cents: i64,
    },
    /// A package or a boost, which spends fresh money first.
    Spent(i64),
    /// The fresh part of a withdrawal.
    Withdrawn {
        id: String,
        part: i64,
        end: End,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Sent,
    Held,
    Approved,
    Released,
}

/// A wallet as a stack of lots of fresh money: what leaves takes the newest.
#[derive(Debug, Default)]
struct Model {
    moved: Vec<(OffsetDateTime, Moved)>,
}

impl Model {
    fn add(&mut self, now: OffsetDateTime, moved: Moved) {
        self.moved.push((now, moved));
    }

    /// The fresh money in the wallet.
    fn fresh(&self, now: OffsetDateTime) -> i64 {
        let mut lots: Vec<(OffsetDateTime, i64)> = Vec::new();
        for (at, moved) in &self.moved {
            let mut left = match moved {
                Moved::In(cents) | Moved::ByCard { cents, .. } => {
                    lots.push((*at, *cents));
                    0
                }
                Moved::Spent(cents) => *cents,
                Moved::Withdrawn { end: End::Released, .. } => 0,
                Moved::Withdrawn { part, .. } => *part,
            };
            while left > 0
                && let Some((came, lot)) = lots.pop()
            {
                if lot > left {
                    lots.push((came, lot - left));
                }
                left -= lot.min(left);
            }
        }
        lots.iter().filter(|(came, _)| *came > now - WEEK).map(|(_, lot)| lot).sum()
    }

    /// The fresh money that left in the last week, and that no operator has approved.
    fn sent(&self, now: OffsetDateTime) -> i64 {
        let recent = self.moved.iter().filter(|(at, _)| *at > now - WEEK);
        let parts = recent.map(|(_, moved)| match moved {
            Moved::Withdrawn { part, end: End::Sent | End::Held, .. } => *part,
            _ => 0,
        });
        parts.sum()
    }

    /// The last card payment that was not given back.
    fn last_card(&mut self) -> Option<(Uuid, &mut i64)> {
        self.moved.iter_mut().rev().find_map(|(_, moved)| match moved {
            Moved::ByCard { journal, cents } if *cents > 0 => Some((*journal, cents)),
            _ => None,
        })
    }

    fn held(&mut self) -> Option<(String, &mut End)> {
        self.moved.iter_mut().find_map(|(_, moved)| match moved {
            Moved::Withdrawn { id, end, .. } if *end == End::Held => Some((id.clone(), end)),
            _ => None,
        })
    }
}

impl World {
    /// A service in which no rule but that of fresh money holds a withdrawal.
    async fn with_fresh_money_alone() -> Self {
        let any = Money::from_shillings(1_000_000);
        Self::with(|args| {
            args.withdrawals.hold_first_withdrawals_over = any;
            args.withdrawals.hold_withdrawals_of_a_day_over = any;
            args.withdrawals.hold_withdrawals_of_a_week_over = any;
            args.withdrawals.hold_withdrawals_to_a_shared_phone_over = any;
        })
        .await
    }

    /// Posts a payment between a player and an account of PlayOn; returns its journal.
    async fn post(
        &self,
        player: &Player,
        kind: &str,
        (from, to): (&str, &str),
        shillings: i32,
        reverses: Option<Uuid>,
    ) -> Uuid {
        let journal = self.base.rng.uuid_v7(self.base.clock.now());
        let post = "SELECT ledger_post($7, $1, gen_random_uuid(), $2,
            CASE WHEN $3 = '' THEN $5 ELSE house_account($3) END,
            CASE WHEN $4 = '' THEN $5 ELSE house_account($4) END, $6, NULL, NULL, $8)";
        let outcome: String = sqlx::query_scalar(post)
            .bind(kind)
            .bind(self.base.clock.now())
            .bind(from)
            .bind(to)
            .bind(player.id.uuid())
            .bind(i64::from(shillings) * 100)
            .bind(journal)
            .bind(reverses)
            .fetch_one(&self.pool)
            .await
            .unwrap();
        assert_eq!(outcome, "POSTED");
        journal
    }

    async fn by_card(&self, player: &Player, shillings: i32) -> Uuid {
        self.post(player, "TOPUP", ("CARD_RECEIVABLE", ""), shillings, None).await
    }

    /// Gives a card payment back.
    async fn refund_card(&self, player: &Player, shillings: i32, journal: Uuid) {
        let accounts = ("", "CARD_RECEIVABLE");
        self.post(player, "REFUND", accounts, shillings, Some(journal)).await;
    }

    async fn by_mpesa(&self, player: &Player, shillings: i32) {
        self.post(player, "TOPUP", ("MPESA_UTILITY", ""), shillings, None).await;
    }

    /// Boosts a friend, a moment after what came before.
    async fn boost_friend(&self, from: &Player, to: &Player, shillings: i32) {
        let key = self.base.rng.uuid_v7(self.base.clock.now()).to_string();
        let request = boost(self, &to.id.to_string(), shillings, &key).await;
        let payment = self.send(from, request).await.unwrap();
        assert_eq!(payment.status(), PaymentStatus::Completed);
    }

    /// Withdraws; returns whether an operator looks at it first, with the payment's id.
    async fn withdraw_fresh(&self, player: &Player, shillings: i32) -> (bool, String) {
        let id = self.withdraw(player, shillings).await;
        let payment = self.payment(player, &id).await.unwrap();
        (payment.held_until.is_some(), id)
    }
}

/// A player who spends from a wallet that holds this much, with its fee.
fn is_covered(available: i64, shillings: i32) -> bool {
    available >= i64::from(shillings) * 100 + 10_800
}

/// Two wallets with their models.
struct Case<'a> {
    world: &'a World,
    players: [Player; 2],
    models: [Model; 2],
}

impl Case<'_> {
    /// Takes a step in the service and in the model; returns whether an operator looks at a withdrawal.
    async fn take(&mut self, step: Step, place: &str) -> Option<bool> {
        let (world, now) = (self.world, self.world.base.clock.now());
        match step {
            Step::ByCard(player, amount) => {
                let journal = world.by_card(&self.players[player], amount).await;
                let cents = i64::from(amount) * 100;
                self.models[player].add(now, Moved::ByCard { journal, cents });
            }
            Step::Refund(player) => {
                let (journal, cents) = self.models[player].last_card()?;
                let amount = i32::try_from(*cents / 100).unwrap();
                if is_covered(world.available(&self.players[player]).await.cents(), amount) {
                    world.refund_card(&self.players[player], amount, journal).await;
                    *cents = 0;
                }
            }
            Step::ByMpesa(player, amount) => world.by_mpesa(&self.players[player], amount).await,
            Step::Package(player, amount) | Step::Boost(player, amount) => {
                let (buyer, friend) = (&self.players[player], &self.players[1 - player]);
                if !is_covered(world.available(buyer).await.cents(), amount) {
                    return None;
                }
                let cents = i64::from(amount) * 100;
                if matches!(step, Step::Package(..)) {
                    let accounts = ("", "SUBSCRIPTION_REVENUE");
                    world.post(buyer, "SUBSCRIPTION", accounts, amount, None).await;
                } else {
                    world.boost_friend(buyer, friend, amount).await;
                    self.models[1 - player].add(now, Moved::In(cents));
                }
                self.models[player].add(now, Moved::Spent(cents));
            }
            Step::Withdraw(player, amount) => return self.withdraw(player, amount, place).await,
            Step::Decide(player, is_approved) => {
                let (id, end) = self.models[player].held()?;
                let (kind, ended) = if is_approved {
                    (OperationKind::Approve, End::Approved)
                } else {
                    (OperationKind::Release, End::Released)
                };
                *end = ended;
                let done = world.ask("wanjiru", of_payment(kind, &id, &id)).await.unwrap();
                assert_eq!(done.state(), OperationState::Done, "{place}");
            }
            Step::Wait(hours) => world.wait(Duration::from_hours(hours)).await,
        }
        None
    }

    async fn withdraw(&mut self, player: usize, amount: i32, place: &str) -> Option<bool> {
        let (world, now) = (self.world, self.world.base.clock.now());
        let (player, model) = (&self.players[player], &mut self.models[player]);
        let available = world.available(player).await.cents();
        if !is_covered(available, amount) {
            return None;
        }
        let (is_held, id) = world.withdraw_fresh(player, amount).await;
        let taken = available - world.available(player).await.cents();
        let other = available - model.fresh(now);
        assert!(other >= 0, "{place}: more is fresh than there is");
        let part = (taken - other).max(0);
        let is_much = part > 0 && model.sent(now) + part > FRESH_OVER;
        assert_eq!(is_held, is_much, "{place}: {part} of {model:?}");
        let end = if is_held { End::Held } else { End::Sent };
        model.add(now, Moved::Withdrawn { id, part, end });
        Some(is_held)
    }
}

#[tokio::test]
async fn an_operator_looks_at_what_the_model_says_whatever_came_before() {
    let world = World::with_fresh_money_alone().await;
    let mut runner = TestRunner::deterministic();
    let mut looked_at = Vec::new();
    for number in 0..CASES {
        let steps = prop::collection::vec(step(), STEPS).new_tree(&mut runner).unwrap().current();
        let players = [world.player(), world.player()];
        let mut case = Case { world: &world, players, models: Default::default() };
        for (place, step) in steps.into_iter().enumerate() {
            world.wait(Duration::from_secs(1)).await;
            case.players = case.players.map(|player| world.renewed(&player));
            let place = format!("case {number}, step {place}: {step:?}");
            looked_at.extend(case.take(step, &place).await);
        }
    }
    let held = looked_at.iter().filter(|is_held| **is_held).count();
    let sent = looked_at.len() - held;
    assert!(held > 5 && sent > 5, "{held} held, {sent} sent");
}

#[tokio::test]
async fn own_money_that_goes_to_a_friend_does_not_wash_what_was_withdrawn() {
    let world = World::with_fresh_money_alone().await;
    let (player, friend) = (world.player(), world.player());
    world.by_card(&player, 1_000).await;
    let (is_held, _) = world.withdraw_fresh(&player, 900).await;
    assert!(!is_held, "KES 1,000 may leave");
    // The boost takes the rest of the card's money, and KES 900 of the player's own.
    for shillings in [900, 1_000] {
        world.wait(Duration::from_secs(1)).await;
        world.by_mpesa(&player, shillings).await;
        let rest = world.available(&player).await.whole_shillings().unwrap();
        world.wait(Duration::from_secs(1)).await;
        world.boost_friend(&player, &friend, i32::try_from(rest).unwrap()).await;
    }
    world.wait(Duration::from_secs(1)).await;
    world.by_card(&player, 1_000).await;
    let (is_held, _) = world.withdraw_fresh(&player, 900).await;
    assert!(is_held, "more than KES 1,000 of cards have left");
}

#[tokio::test]
async fn a_refund_of_an_old_card_payment_does_not_wash_a_new_one() {
    let world = World::with_fresh_money_alone().await;
    let player = world.player();
    let old = world.by_card(&player, 5_000).await;
    world.wait(8 * Duration::from_hours(24)).await;
    let player = world.renewed(&player);
    world.by_card(&player, 5_000).await;
    world.refund_card(&player, 5_000, old).await;
    let (is_held, _) = world.withdraw_fresh(&player, 2_000).await;
    assert!(is_held, "the money is that of the new payment");
}

#[tokio::test]
async fn own_money_leaves_while_a_card_payment_waits_for_an_operator() {
    let world = World::with_fresh_money_alone().await;
    let player = world.player();
    world.by_card(&player, 5_000).await;
    let (is_held, _) = world.withdraw_fresh(&player, 4_000).await;
    assert!(is_held);
    world.wait(Duration::from_secs(1)).await;
    world.by_mpesa(&player, 2_000).await;
    let (is_held, _) = world.withdraw_fresh(&player, 1_900).await;
    assert!(!is_held, "the player's own money leaves at once");
}
