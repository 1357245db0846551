//! The proof by watermark.

use testkit::eventually;

use crate::world::World;

impl World {
    /// Runs two rounds of the proof: the first plans how far the second proves.
    async fn prove_twice(&mut self) {
        for _ in 0..2 {
            self.stop_wallet().await;
            self.start_wallet().await;
            // The first round begins with the process, and ends with a plan.
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
    }

    async fn proven(&self) -> i64 {
        let proven = "SELECT proven_seq FROM ledger_proof";
        sqlx::query_scalar(proven).fetch_one(&self.pool).await.unwrap()
    }

    async fn newest_posting(&self) -> i64 {
        let newest = "SELECT max(seq) FROM posting";
        sqlx::query_scalar(newest).fetch_one(&self.pool).await.unwrap()
    }
}

#[tokio::test]
async fn the_watermark_follows_the_ledger_and_stops_before_a_violation() {
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    let newest = world.newest_posting().await;
    world.prove_twice().await;
    eventually("the postings are proven", || async {
        (world.proven().await == newest).then_some(())
    })
    .await;

    world.give(&player, 50).await;
    let wrong = "UPDATE wallet SET posted_cents = posted_cents + 1";
    sqlx::raw_sql(wrong).execute(&world.pool).await.unwrap();
    world.prove_twice().await;
    assert_eq!(world.proven().await, newest, "the wallet differs from its last balance");

    let right = "UPDATE wallet SET posted_cents = posted_cents - 1";
    sqlx::raw_sql(right).execute(&world.pool).await.unwrap();
    let newest = world.newest_posting().await;
    world.prove_twice().await;
    eventually("the postings are proven", || async {
        (world.proven().await == newest).then_some(())
    })
    .await;
    world.finish().await;
}
