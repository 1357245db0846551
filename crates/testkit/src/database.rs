//! A database for one test.

use mesh::args::SecretUrl;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use types::{Chance, Clock};

/// A new, empty database. It is left behind: the server that tests run on is
/// thrown away with all of them.
pub async fn database(service: &str) -> SecretUrl {
    let server = super::env("TEST_DATABASE_URL");
    let id = Chance::system().uuid_v7(Clock::system().now()).simple();
    let name = format!("test_{}_{id}", service.replace('-', "_"));
    let mut conn = PgConnection::connect(&server).await.expect("TEST_DATABASE_URL answers");
    // The name is made of letters, digits and underscores right above.
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut conn)
        .await
        .expect("a new database");
    conn.close().await.expect("a clean goodbye");
    with_database(&server, &name).parse().expect("a database URL")
}

/// The server's URL with another database's name in its path.
fn with_database(server: &str, name: &str) -> String {
    let (base, query) = server.split_once('?').map_or((server, None), |(b, q)| (b, Some(q)));
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base[authority..].find('/').map_or(base.len(), |at| authority + at);
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}/{name}{query}", &base[..path])
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn only_the_databases_name_changes() {
        for (server, expected) in [
            ("postgres://app@localhost/postgres", "postgres://app@localhost/x"),
            ("postgres://app@localhost", "postgres://app@localhost/x"),
            ("postgres://a@h:1/postgres?host=/tmp/s", "postgres://a@h:1/x?host=/tmp/s"),
        ] {
            assert_eq!(with_database(server, "x"), expected);
        }
    }
}
