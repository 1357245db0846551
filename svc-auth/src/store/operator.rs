//! `operator`, `revoked_certificate`, and proposals in `content_change`.

use anyhow::Context as _;
use mesh::db::statement;
use serde_json::Value;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::{Operator, OperatorName, ProposedRoles, RevokedCertificate, Roles, Serial};

/// A row of `operator`.
struct Row {
    name: String,
    roles: Vec<String>,
}

impl TryFrom<Row> for Operator {
    type Error = anyhow::Error;

    fn try_from(Row { name, roles }: Row) -> anyhow::Result<Self> {
        let name = OperatorName::parse(&name).context("a stored name is no operator's")?;
        Ok(Self { name, roles: read(&roles) })
    }
}

/// Reads stored roles. A role that this build does not know is left out.
fn read(names: &[String]) -> Roles {
    Roles::new(names.iter().filter_map(|name| name.parse().ok()))
}

/// Returns all operators by name.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection) -> anyhow::Result<Vec<Operator>> {
    let rows = sqlx::query_as!(Row, "SELECT name, roles FROM operator ORDER BY name")
        .fetch_all(conn)
        .await?;
    rows.into_iter().map(Operator::try_from).collect()
}

/// Returns the roles of an operator; none for a name that is no operator's.
#[statement]
pub(crate) async fn find_roles(
    conn: &mut PgConnection,
    name: &OperatorName,
) -> sqlx::Result<Roles> {
    let roles = sqlx::query_scalar!("SELECT roles FROM operator WHERE name = $1", name.as_str())
        .fetch_optional(conn)
        .await?;
    Ok(read(&roles.unwrap_or_default()))
}

/// Sets the roles of an operator.
#[statement]
pub(crate) async fn put(conn: &mut PgConnection, operator: &Operator) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO operator (name, roles) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET roles = excluded.roles",
        operator.name.as_str(),
        &operator.roles.names(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes an operator.
#[statement]
pub(crate) async fn delete(conn: &mut PgConnection, name: &OperatorName) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM operator WHERE name = $1", name.as_str()).execute(conn).await?;
    Ok(())
}

/// Returns the changes of roles that were proposed since a time and are the last of their operator,
/// the last one first.
#[statement]
pub(crate) async fn list_proposals(
    conn: &mut PgConnection,
    since: OffsetDateTime,
    limit: i64,
) -> anyhow::Result<Vec<ProposedRoles>> {
    let rows = sqlx::query!(
        r#"SELECT key AS "key!", operator AS "operator!", content AS "content!",
                  changed_at AS "changed_at!"
           FROM (
               SELECT DISTINCT ON (key) key, operator, content, change, changed_at
               FROM content_change WHERE changed_at > $1
               ORDER BY key, changed_at DESC, id DESC
           ) AS last
           WHERE change = 'Proposed'
           ORDER BY changed_at DESC
           LIMIT $2"#,
        since,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter();
    rows.map(|row| proposal(row.key, row.content, row.operator, row.changed_at)).collect()
}

/// Returns the change of an operator's roles that was proposed since a time and is the last one.
#[statement]
pub(crate) async fn find_proposal(
    conn: &mut PgConnection,
    name: &OperatorName,
    since: OffsetDateTime,
) -> anyhow::Result<Option<ProposedRoles>> {
    let row = sqlx::query!(
        "SELECT operator, content, change, changed_at FROM content_change
         WHERE key = $1 AND changed_at > $2 ORDER BY changed_at DESC, id DESC LIMIT 1",
        name.as_str(),
        since,
    )
    .fetch_optional(conn)
    .await?;
    let row = row.filter(|row| row.change == "Proposed");
    row.map(|row| {
        let content = row.content.context("a proposal without roles")?;
        proposal(name.as_str().to_owned(), content, row.operator, row.changed_at)
    })
    .transpose()
}

fn proposal(
    name: String,
    content: Value,
    by: String,
    at: OffsetDateTime,
) -> anyhow::Result<ProposedRoles> {
    let roles: Vec<String> = serde_json::from_value(content)?;
    let operator = Operator::try_from(Row { name, roles })?;
    Ok(ProposedRoles { operator, by, at })
}

/// Revokes a certificate in an operator's name; false when it was revoked before.
#[statement]
pub(crate) async fn revoke(
    conn: &mut PgConnection,
    serial: &Serial,
    by: &str,
    reason: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO revoked_certificate (serial, operator, reason, revoked_at)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        serial.as_str(),
        by,
        reason,
        now,
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Whether a certificate is revoked.
#[statement]
pub(crate) async fn is_revoked(conn: &mut PgConnection, serial: &Serial) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        "SELECT 1 FROM revoked_certificate WHERE serial = $1",
        serial.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.is_some())
}

/// Returns the certificates that were revoked last, the last one first.
#[statement]
pub(crate) async fn list_revoked(
    conn: &mut PgConnection,
    limit: i64,
) -> sqlx::Result<Vec<RevokedCertificate>> {
    sqlx::query_as!(
        RevokedCertificate,
        "SELECT serial, reason, operator, revoked_at FROM revoked_certificate
         ORDER BY revoked_at DESC LIMIT $1",
        limit,
    )
    .fetch_all(conn)
    .await
}
