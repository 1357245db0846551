//! The daily comparison of M-Pesa's balance with the ledger.

use std::time::Duration;

use proto::wallet::v1::{Break, ListBreaksRequest, ResolveBreakRequest};
use serde_json::{Value, json};
use testkit::eventually;

use crate::{operations::kes, world::World};

const DAY: Duration = Duration::from_hours(24);

impl World {
    /// Opens a world that compares its balance, and has compared it once.
    async fn with_balance() -> Self {
        let mut world = Self::new().await;
        sqlx::query("UPDATE daily_job SET done_for = '2000-01-01' WHERE name = 'compare_balance'")
            .execute(&world.pool)
            .await
            .unwrap();
        assert!(!world.compare().await, "the first comparison has nothing to differ from");
        world
    }

    /// Restarts svc-wallet, when the job may ask again, and waits for the next comparison; returns
    /// whether M-Pesa's balance and the ledger were apart.
    async fn compare(&mut self) -> bool {
        let before = self.comparisons().await.len();
        self.stop_wallet().await;
        let query = "UPDATE daily_job SET leased_until = NULL WHERE name = 'compare_balance'";
        sqlx::query(query).execute(&self.pool).await.unwrap();
        self.start_wallet().await;
        eventually("a comparison", || async { self.comparisons().await.get(before).copied() }).await
    }

    /// Goes on to the next day, and compares.
    async fn compare_next_day(&mut self) -> bool {
        self.base.clock.advance(DAY);
        self.compare().await
    }

    /// Whether each comparison found M-Pesa's balance and the ledger apart.
    async fn comparisons(&self) -> Vec<bool> {
        let query = "SELECT is_apart FROM balance_comparison ORDER BY compared_at, round_id";
        sqlx::query_scalar(query).fetch_all(&self.pool).await.unwrap()
    }

    /// Moves money at M-Pesa of which the ledger does not know.
    async fn move_float(&self, shillings: i64) {
        let url = format!("http://{}/control/float", self.sandbox.addr);
        let float: Value = self.http.get(&url).send().await.unwrap().json().await.unwrap();
        let utility = float["utility"].as_i64().unwrap() + shillings;
        let reply = self.http.put(&url).json(&json!({"utility": utility})).send().await.unwrap();
        assert!(reply.status().is_success());
    }

    async fn resolve(&self, one: &Break) {
        let resolution = "Transferred to the bank on Monday.".to_owned();
        let request = ResolveBreakRequest { break_id: one.id.clone(), resolution };
        self.operator("wanjiru").resolve_break(request).await.unwrap();
    }

    async fn open_breaks(&self) -> Vec<Break> {
        let request = ListBreaksRequest::default();
        self.operator("wanjiru").list_breaks(request).await.unwrap().into_inner().breaks
    }
}

#[tokio::test]
async fn money_that_moves_at_mpesa_and_not_in_the_ledger_is_a_break() {
    let mut world = World::with_balance().await;
    let player = world.player();
    world.give(&player, 5_000).await;
    assert!(!world.compare_next_day().await, "the ledger knows of the payment");

    // A difference that is there three times on a day is a break.
    world.move_float(-5_000).await;
    assert!(world.compare_next_day().await);
    assert!(world.open_breaks().await.is_empty(), "it may be under way");
    assert!(world.compare().await && world.compare().await);
    let breaks = world.open_breaks().await;
    assert_eq!(breaks.len(), 1);
    // The payment came in at M-Pesa, and as much left.
    assert_eq!(
        (breaks[0].kind.as_str(), breaks[0].ours, breaks[0].theirs),
        ("BALANCE", kes(5_000), kes(0))
    );
    assert!(world.compare_next_day().await && world.compare().await && world.compare().await);
    assert_eq!(world.open_breaks().await.len(), 1, "it is the same difference");

    // What an operator has explained counts from then on.
    world.resolve(&breaks[0]).await;
    assert!(!world.compare_next_day().await);
    assert!(world.open_breaks().await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn a_break_stays_open_until_an_operator_closes_it() {
    let mut world = World::with_balance().await;
    // Less than the tolerance, such as charges, is none.
    world.move_float(-900).await;
    assert!(!world.compare_next_day().await);
    // Little by little is as much as at once.
    world.move_float(-200).await;
    assert!(world.compare_next_day().await && world.compare().await && world.compare().await);
    // Another movement may have hidden the first.
    world.move_float(1_100).await;
    assert!(!world.compare_next_day().await);
    let breaks = world.open_breaks().await;
    assert_eq!(breaks.len(), 1);
    world.resolve(&breaks[0]).await;
    assert!(!world.compare_next_day().await, "the base is the first comparison as before");
    world.finish().await;
}

#[tokio::test]
async fn what_moved_after_a_break_is_a_break_of_its_own() {
    let mut world = World::with_balance().await;
    world.move_float(-5_000).await;
    assert!(world.compare_next_day().await && world.compare().await && world.compare().await);
    world.move_float(-3_000).await;
    assert!(world.compare_next_day().await && world.compare().await && world.compare().await);
    let breaks = world.open_breaks().await;
    assert_eq!((breaks.len(), breaks[0].theirs), (1, kes(-5_000)));
    world.resolve(&breaks[0]).await;
    assert!(world.compare_next_day().await && world.compare().await && world.compare().await);
    let breaks = world.open_breaks().await;
    assert_eq!((breaks.len(), breaks[0].theirs), (1, kes(-3_000)));
    world.finish().await;
}
