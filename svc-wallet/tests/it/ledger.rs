//! Rules that the database itself enforces.

use sqlx::{Connection as _, PgConnection, error::DatabaseError};

use crate::world::World;

/// Returns the constraint that refuses the statements.
async fn refused_by(world: &World, statements: &str) -> String {
    // The transaction is never committed.
    let mut tx = world.pool.begin().await.unwrap();
    let error = sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned()))
        .execute(&mut *tx)
        .await
        .unwrap_err();
    mesh::db::violated(&error).unwrap_or_default().to_owned()
}

/// Inserts a journal with these lines (house account and cents) by one statement.
fn journal(lines: &[(&str, i64)]) -> String {
    let lines: Vec<String> =
        lines.iter().map(|(account, cents)| format!("('{account}', {cents})")).collect();
    format!(
        "WITH entry AS (
             INSERT INTO journal (id, kind, ref, created_at)
             VALUES (gen_random_uuid(), 'CREDIT', gen_random_uuid(), now()) RETURNING *
         )
         INSERT INTO posting (journal_id, account_id, amount_cents, kind, ref, created_at,
                              counterparty_id)
         SELECT id, house_account(account), cents, kind, ref, created_at, id
         FROM entry, (VALUES {}) line (account, cents)",
        lines.join(", ")
    )
}

#[tokio::test]
async fn a_journal_that_does_not_balance_is_refused() {
    let world = World::new().await;
    for lines in [
        &[("MPESA_UTILITY", -100)][..],
        &[("MPESA_UTILITY", -100), ("SUSPENSE", 99)],
        &[("MPESA_UTILITY", -100), ("SUSPENSE", 99), ("PROVIDER_FEE", 2)],
    ] {
        assert_eq!(refused_by(&world, &journal(lines)).await, "journal_balances", "{lines:?}");
    }
    let empty = "INSERT INTO journal (id, kind, ref, created_at)
         VALUES (gen_random_uuid(), 'CREDIT', gen_random_uuid(), now())";
    assert_eq!(refused_by(&world, empty).await, "journal_balances");
    world.finish().await;
}

#[tokio::test]
async fn the_guards_of_the_ledger_hold_under_savepoints() {
    let world = World::new().await;
    let good = journal(&[("MPESA_UTILITY", -100), ("SUSPENSE", 60), ("PROVIDER_FEE", 40)]);
    let join = "INSERT INTO posting (journal_id, account_id, amount_cents, kind, ref, created_at,
                                     counterparty_id)
         SELECT id, house_account(account), cents, kind, ref, created_at, id
         FROM journal, (VALUES ('PROMOTIONS', 5), ('CARD_RECEIVABLE', -5)) line (account, cents)";
    let statements = format!("SAVEPOINT a; {good}; RELEASE a; SAVEPOINT b; {join}");
    assert_eq!(refused_by(&world, &statements).await, "journal_closed");
    let unbalanced = journal(&[("MPESA_UTILITY", -100), ("SUSPENSE", 99)]);
    let statements = format!("SAVEPOINT a; {good}; RELEASE a; SAVEPOINT b; {unbalanced}");
    assert_eq!(refused_by(&world, &statements).await, "journal_balances");
    world.finish().await;
}

#[tokio::test]
async fn the_role_of_the_service_cannot_write_the_ledger() {
    let world = World::new().await;
    let mut conn = PgConnection::connect(world.database.url.expose()).await.unwrap();
    for statement in [
        "INSERT INTO wallet (player_id) VALUES (gen_random_uuid())",
        "UPDATE wallet SET posted_cents = 1",
        "INSERT INTO journal (id, kind, ref, created_at)
         VALUES (gen_random_uuid(), 'CREDIT', gen_random_uuid(), now())",
        "INSERT INTO posting (journal_id) VALUES (gen_random_uuid())",
        "UPDATE hold SET state = 'RELEASED'",
        "DELETE FROM posting",
        "TRUNCATE journal",
    ] {
        let error = sqlx::raw_sql(statement).execute(&mut conn).await.unwrap_err();
        let code = error.as_database_error().and_then(DatabaseError::code).unwrap_or_default();
        assert_eq!(code, "42501", "insufficient_privilege for {statement}: {error}");
    }
    for table in ["wallet", "journal", "posting", "hold"] {
        let read = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        sqlx::raw_sql(read).execute(&mut conn).await.unwrap();
    }
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
    let late = "INSERT INTO posting (journal_id, account_id, amount_cents, kind, ref, created_at,
                                     counterparty_id)
         SELECT id, house_account('SUSPENSE'), 1, kind, ref, created_at, id FROM journal";
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
