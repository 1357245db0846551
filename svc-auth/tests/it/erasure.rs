//! Failed erasures.

use testkit::Database;

use crate::{
    deletion::delete,
    harness::{Service, connect, days},
};

/// The emails of the players who are not erased.
async fn left(database: &Database) -> Vec<String> {
    sqlx::query_scalar("SELECT email FROM player WHERE erased_at IS NULL ORDER BY email")
        .fetch_all(&mut connect(database).await)
        .await
        .unwrap()
}

async fn until_left(database: &Database, emails: &[&str]) {
    testkit::eventually("the erasure", || async { (left(database).await == emails).then_some(()) })
        .await;
}

/// A replica that erases when it starts.
async fn later(auth: &Service, after: u64) -> Service {
    let base = testkit::base("svc-auth");
    base.clock.advance(days(after));
    Service::start_on(auth.database.clone(), &[], base).await
}

#[tokio::test]
async fn a_failed_erasure_does_not_delay_others_and_is_retried() {
    let auth = Service::start().await;
    for name in ["wanjiru", "kamau", "otieno"] {
        let session = auth.player(name).await;
        delete(&auth, &session).await.unwrap();
        auth.clock.advance(days(1));
    }
    let mut conn = connect(&auth.database).await;
    for statement in [
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'a table that names players, and was forgotten'; END $$",
        "CREATE TRIGGER refuse BEFORE DELETE ON email_identity FOR EACH ROW
         WHEN (OLD.email = 'wanjiru@example.com') EXECUTE FUNCTION refuse()",
    ] {
        sqlx::query(statement).execute(&mut conn).await.unwrap();
    }
    let _first = later(&auth, 31).await;
    until_left(&auth.database, &["otieno@example.com", "wanjiru@example.com"]).await;
    sqlx::query("DROP TRIGGER refuse ON email_identity").execute(&mut conn).await.unwrap();
    let _second = later(&auth, 31).await;
    until_left(&auth.database, &["otieno@example.com"]).await;
}
