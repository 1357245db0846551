//! A database for one test.

use std::{collections::HashSet, str::FromStr as _, time::Duration};

use mesh::args::SecretUrl;
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::Mutex;
use types::{Clock, Rng};

/// An empty database with the two roles of a service: one that owns the tables, and one
/// that uses them. It is not dropped, because the server of the tests is temporary.
#[derive(Clone)]
pub struct Database {
    /// The URL for the service.
    pub url: SecretUrl,
    /// The URL for migrations.
    pub owner_url: SecretUrl,
    /// Connections of the superuser, for tests that prepare or inspect rows.
    pub pool: PgPool,
}

/// Roles belong to the server, so each is created once a process.
static ROLES: Mutex<Option<HashSet<String>>> = Mutex::const_new(None);

/// Creates a database for a service.
pub async fn database(service: &str) -> Database {
    let server = super::env("TEST_DATABASE_URL");
    let id = Rng::system().uuid_v7(Clock::system().now()).simple();
    let service = service.replace('-', "_");
    let (name, owner, user) =
        (format!("test_{service}_{id}"), format!("{service}_owner"), format!("{service}_user"));
    let mut conn = PgConnection::connect(&server).await.expect("TEST_DATABASE_URL answers");
    create_roles(&mut conn, &owner, &user).await;
    execute(&mut conn, format!("CREATE DATABASE {name} OWNER {owner}")).await;
    conn.close().await.expect("the connection closes");

    let superuser = with_database(&server, &name);
    let options = PgConnectOptions::from_str(&superuser).expect("a database URL");
    let pool = PgPoolOptions::new()
        .max_connections(4)
        .connect_with(options)
        .await
        .expect("the new database answers");
    let mut conn = pool.acquire().await.expect("a connection");
    for statement in grants(&owner, &user) {
        execute(&mut conn, statement).await;
    }
    drop(conn);
    let url = |role: &str| with_user(&superuser, role).parse().expect("a database URL");
    Database { url: url(&user), owner_url: url(&owner), pool }
}

impl Database {
    /// Makes the outbox rows due that wait for a later try, as if `time` had passed.
    pub async fn advance_outbox(&self, time: Duration) {
        sqlx::query(
            "UPDATE outbox SET due_at = due_at - $1 * interval '1 second' WHERE NOT leased",
        )
        .bind(time.as_secs_f64())
        .execute(&self.pool)
        .await
        .expect("an outbox");
    }

    /// The tables that do not say how long their rows stay: each has a comment that
    /// begins with "Rows stay", and names what removes them.
    pub async fn tables_without_retention(&self) -> Vec<String> {
        sqlx::query_scalar(
            "SELECT relname::text FROM pg_class
             WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
                 AND relname <> '_sqlx_migrations'
                 AND coalesce(obj_description(oid), '') NOT LIKE 'Rows stay %'
             ORDER BY relname",
        )
        .fetch_all(&self.pool)
        .await
        .expect("the catalogue")
    }
}

async fn create_roles(conn: &mut PgConnection, owner: &str, user: &str) {
    let mut created = ROLES.lock().await;
    let created = created.get_or_insert_default();
    for role in [owner, user] {
        if created.insert(role.to_owned()) {
            // Test processes that run at once all create it; one of them does.
            let create = format!(
                "DO $$ BEGIN CREATE ROLE {role} LOGIN PASSWORD 'test';
                 EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
            );
            execute(conn, create).await;
        }
    }
}

/// What a service's user may do with what its owner creates: as `cargo xtask up` grants it.
fn grants(owner: &str, user: &str) -> [String; 4] {
    [
        format!("ALTER SCHEMA public OWNER TO {owner}"),
        format!("GRANT USAGE ON SCHEMA public TO {user}"),
        format!(
            "ALTER DEFAULT PRIVILEGES FOR ROLE {owner}
             GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {user}"
        ),
        format!("ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE ON SEQUENCES TO {user}"),
    ]
}

async fn execute(conn: &mut PgConnection, sql: String) {
    // Made of letters, digits and underscores right above.
    sqlx::query(AssertSqlSafe(sql)).execute(conn).await.expect("the statement succeeds");
}

/// The server's URL with another database in its path.
fn with_database(server: &str, name: &str) -> String {
    let (base, query) = server.split_once('?').map_or((server, None), |(b, q)| (b, Some(q)));
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base[authority..].find('/').map_or(base.len(), |at| authority + at);
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}/{name}{query}", &base[..path])
}

/// A URL with another user, and the password of test roles.
fn with_user(url: &str, user: &str) -> String {
    let authority = url.find("://").map_or(0, |at| at + 3);
    let end = url[authority..].find('/').map_or(url.len(), |at| authority + at);
    let host = url[authority..end].rfind('@').map_or(authority, |at| authority + at + 1);
    format!("{}{user}:test@{}", &url[..authority], &url[host..])
}

#[cfg(test)]
mod tests {
    use super::{with_database, with_user};

    #[test]
    fn only_the_database_name_changes() {
        for (server, expected) in [
            ("postgres://app@localhost/postgres", "postgres://app@localhost/x"),
            ("postgres://app@localhost", "postgres://app@localhost/x"),
            ("postgres://a@h:1/postgres?host=/tmp/s", "postgres://a@h:1/x?host=/tmp/s"),
        ] {
            assert_eq!(with_database(server, "x"), expected);
        }
    }

    #[test]
    fn only_the_user_changes() {
        assert_eq!(
            with_user("postgres://a:b@h:1/x?host=/s", "u"),
            "postgres://u:test@h:1/x?host=/s"
        );
        assert_eq!(with_user("postgres://h/x", "u"), "postgres://u:test@h/x");
    }
}
