//! Rules that the database itself enforces.

use crate::world::World;

/// The constraint that refuses the statements.
async fn refused_by(world: &World, statements: &str) -> String {
    let error = sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned()))
        .execute(&world.pool)
        .await
        .unwrap_err();
    mesh::db::violated(&error).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_journal_that_does_not_balance_does_not_commit() {
    let world = World::new().await;
    let lines = "INSERT INTO journal (id, kind, ref, created_at)
         VALUES ('00000000-0000-7000-8000-0000000000a1', 'SUSPENSE', gen_random_uuid(), now());
         INSERT INTO posting (journal_id, account_id, amount_cents) VALUES
         ('00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-000000000001', -100)";
    let other = "('00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-000000000002'";
    assert_eq!(refused_by(&world, lines).await, "journal_balances");
    assert_eq!(refused_by(&world, &format!("{lines}, {other}, 99)")).await, "journal_balances");
    world.finish().await;
}

#[tokio::test]
async fn journals_and_postings_cannot_be_changed_or_deleted() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    for statement in [
        "UPDATE posting SET amount_cents = amount_cents * 2",
        "DELETE FROM posting",
        "UPDATE journal SET kind = 'BOOST'",
        "DELETE FROM journal",
    ] {
        assert_eq!(refused_by(&world, statement).await, "append_only", "{statement}");
    }
    world.finish().await;
}

#[tokio::test]
async fn a_committed_journal_accepts_no_more_postings() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    let late = "INSERT INTO posting (journal_id, account_id, amount_cents)
         SELECT id, '00000000-0000-7000-8000-000000000002', 1 FROM journal";
    assert_eq!(refused_by(&world, late).await, "journal_closed");
    world.finish().await;
}

#[tokio::test]
async fn an_event_cannot_be_posted_twice() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    let again = "INSERT INTO journal (id, kind, ref, created_at)
         SELECT gen_random_uuid(), kind, ref, created_at FROM journal";
    assert_eq!(refused_by(&world, again).await, "journal_once");
    world.finish().await;
}

#[tokio::test]
async fn a_balance_cannot_go_below_zero_or_below_what_is_held() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    assert_eq!(refused_by(&world, "UPDATE wallet SET posted_cents = -1").await, "wallet_covers");
    assert_eq!(refused_by(&world, "UPDATE wallet SET held_cents = 10001").await, "wallet_covers");
    world.finish().await;
}

#[tokio::test]
async fn the_proof_finds_a_wallet_that_differs_from_its_postings() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    let wrong = "UPDATE wallet SET posted_cents = posted_cents + 1";
    sqlx::raw_sql(wrong).execute(&world.pool).await.unwrap();
    let broken: Vec<(String, String, String)> =
        sqlx::query_as(include_str!("../../proof.sql")).fetch_all(&world.pool).await.unwrap();
    let found: Vec<&str> = broken.iter().map(|(what, _, _)| what.as_str()).collect();
    assert!(found.contains(&"wallet differs from its postings"), "{found:?}");
    assert!(found.contains(&"last balance differs from the wallet"), "{found:?}");
    let right = "UPDATE wallet SET posted_cents = posted_cents - 1";
    sqlx::raw_sql(right).execute(&world.pool).await.unwrap();
    world.finish().await;
}
