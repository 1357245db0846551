//! A database for one test.

use std::{
    collections::{HashSet, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
    path::Path,
    str::FromStr as _,
    time::Duration,
};

use mesh::args::{DatabaseArgs, SecretUrl};
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::Mutex;
use types::{Clock, Rng};

/// A database with the two roles of a service: one that owns the tables, and one that uses
/// them. It is not dropped, because the server of the tests is temporary.
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

/// Creates a database for a service, as its migrations leave it: a copy of the template,
/// which the first test makes of the migrations as they are now.
pub async fn database(service: &str) -> Database {
    let names = Names::of(service);
    let mut conn = names.connect().await;
    let template = template(&mut conn, &names, service).await;
    let Names { owner, .. } = &names;
    let name = names.unique();
    // Copying the files of a small template takes half the time of copying it through the WAL.
    execute(
        &mut conn,
        format!("CREATE DATABASE {name} TEMPLATE {template} OWNER {owner} STRATEGY file_copy"),
    )
    .await;
    conn.close().await.expect("the connection closes");
    names.open(&name)
}

/// Creates a database for a service without any table, for tests of the migrations themselves.
pub async fn empty_database(service: &str) -> Database {
    let names = Names::of(service);
    let mut conn = names.connect().await;
    let name = names.unique();
    create(&mut conn, &names, &name).await;
    conn.close().await.expect("the connection closes");
    names.open(&name)
}

/// A service's name for its databases, and its two roles.
struct Names {
    server: String,
    service: String,
    owner: String,
    user: String,
}

impl Names {
    fn of(service: &str) -> Self {
        let server = super::env("TEST_DATABASE_URL");
        let service = service.replace('-', "_");
        let (owner, user) = (format!("{service}_owner"), format!("{service}_user"));
        Self { server, service, owner, user }
    }

    fn unique(&self) -> String {
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        format!("test_{}_{id}", self.service)
    }

    /// Connects to the server as superuser, and makes sure that the roles exist.
    async fn connect(&self) -> PgConnection {
        let mut conn =
            PgConnection::connect(&self.server).await.expect("TEST_DATABASE_URL answers");
        create_roles(&mut conn, &self.owner, &self.user).await;
        conn
    }

    fn open(&self, name: &str) -> Database {
        let superuser = with_database(&self.server, name);
        let options = PgConnectOptions::from_str(&superuser).expect("a database URL");
        let pool = PgPoolOptions::new().max_connections(4).connect_lazy_with(options);
        let url = |role: &str| with_user(&superuser, role).parse().expect("a database URL");
        Database { url: url(&self.user), owner_url: url(&self.owner), pool }
    }
}

/// Returns the name of the database that the migrations of a service were applied to. The name has
/// their digest, so that a changed migration makes another database.
async fn template(conn: &mut PgConnection, names: &Names, service: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(service);
    let migrator = Migrator::new(folder.join("migrations")).await.expect("migrations");
    let mut digest = DefaultHasher::new();
    migrator.iter().for_each(|migration| migration.checksum.hash(&mut digest));
    let name = format!("template_{}_{:016x}", names.service, digest.finish());
    if is_template(conn, &name).await {
        return name;
    }
    // All concurrent test processes need the template; one of them makes it.
    execute(conn, "SELECT pg_advisory_lock(hashtext('testkit::template'))".to_owned()).await;
    if !is_template(conn, &name).await {
        // A process that was killed may have left an unfinished template.
        execute(conn, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        create(conn, names, &name).await;
        let owner = with_user(&with_database(&names.server, &name), &names.owner);
        let mut migrating = PgConnection::connect(&owner).await.expect("the template answers");
        migrator.run(&mut migrating).await.expect("the migrations succeed");
        // A database is copied only while no one is connected to it.
        migrating.close().await.expect("the connection closes");
        execute(conn, format!("ALTER DATABASE {name} IS_TEMPLATE true")).await;
    }
    execute(conn, "SELECT pg_advisory_unlock_all()".to_owned()).await;
    name
}

async fn is_template(conn: &mut PgConnection, name: &str) -> bool {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)",
    )
    .bind(name)
    .fetch_one(conn)
    .await
    .expect("the catalogue")
}

/// Creates a database without tables and grants what `cargo xtask up` grants.
async fn create(conn: &mut PgConnection, names: &Names, name: &str) {
    let Names { server, owner, user, .. } = names;
    execute(conn, format!("CREATE DATABASE {name} OWNER {owner}")).await;
    let mut granting =
        PgConnection::connect(&with_database(server, name)).await.expect("the database answers");
    for statement in grants(owner, user) {
        execute(&mut granting, statement).await;
    }
    granting.close().await.expect("the connection closes");
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

    /// Panics unless a table has rows, and refuses every change of them.
    pub async fn assert_append_only(&self, table: &'static str) {
        let count = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {table}")));
        let rows: i64 = count.fetch_one(&self.pool).await.expect("the rows");
        assert!(rows > 0, "{table} has no rows");
        for change in [
            format!("UPDATE {table} SET operator = 'another'"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
        ] {
            let done = sqlx::query(AssertSqlSafe(change.clone())).execute(&self.pool).await;
            let refused = done.expect_err("an append-only table").to_string();
            assert!(refused.contains("append-only"), "{change}: {refused}");
        }
    }
}

async fn create_roles(conn: &mut PgConnection, owner: &str, user: &str) {
    let mut created = ROLES.lock().await;
    let created = created.get_or_insert_default();
    for role in [owner, user] {
        if created.insert(role.to_owned()) {
            // All concurrent test processes create the role; one of them succeeds.
            let create = format!(
                "DO $$ BEGIN CREATE ROLE {role} LOGIN PASSWORD 'test';
                 EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
            );
            execute(conn, create).await;
        }
    }
}

/// Statements that grant a service's user access to what its owner creates, as `cargo xtask up`
/// does.
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

/// Arguments with timeouts that only broken code reaches: on a busy machine a test's statement may
/// wait for a connection or a lock longer than a player may.
pub fn database_args() -> DatabaseArgs {
    DatabaseArgs {
        db_statement_timeout: Duration::from_mins(1),
        db_lock_timeout: Duration::from_mins(1),
        db_acquire_timeout: Duration::from_mins(1),
        ..DatabaseArgs::default()
    }
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
