//! Table `{{noun}}`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{Code, Name, {{Noun}}, {{Noun}}Id};

struct Row {
    id: Uuid,
    player_id: Uuid,
    name: String,
    code: String,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
    expired_at: Option<OffsetDateTime>,
}

impl TryFrom<Row> for {{Noun}} {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        let code = Code::parse(&row.code).ok_or("not a valid code");
        Ok(Self {
            id: row.id.into(),
            player: row.player_id.into(),
            name: Name::parse(&row.name).map_err(|error| sqlx::Error::Decode(error.into()))?,
            code: code.map_err(|error| sqlx::Error::Decode(error.into()))?,
            created_at: row.created_at,
            expires_at: row.expires_at,
            expired_at: row.expired_at,
        })
    }
}

#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, {{noun}}: &{{Noun}}) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO {{noun}} (id, player_id, name, code, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        {{noun}}.id.uuid(),
        {{noun}}.player.uuid(),
        {{noun}}.name.as_str(),
        {{noun}}.code.as_str(),
        {{noun}}.created_at,
        {{noun}}.expires_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The {{noun_words}} with this id.
#[statement]
pub(crate) async fn find(conn: &mut PgConnection, id: {{Noun}}Id) -> sqlx::Result<Option<{{Noun}}>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, player_id, name, code, created_at, expires_at, expired_at
         FROM {{noun}} WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(TryInto::try_into).transpose()
}

/// The {{noun_words}} with this code.
#[statement]
pub(crate) async fn find_by_code(
    conn: &mut PgConnection,
    code: &Code,
) -> sqlx::Result<Option<{{Noun}}>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, player_id, name, code, created_at, expires_at, expired_at
         FROM {{noun}} WHERE code = $1",
        code.as_str()
    )
    .fetch_optional(conn)
    .await?;
    row.map(TryInto::try_into).transpose()
}

/// The {{nouns_words}} with these ids, in any order; unknown ids are left out.
#[statement]
pub(crate) async fn find_all(
    conn: &mut PgConnection,
    ids: &[{{Noun}}Id],
) -> sqlx::Result<Vec<{{Noun}}>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, player_id, name, code, created_at, expires_at, expired_at
         FROM {{noun}} WHERE id = ANY ($1)",
        &ids
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// At most `limit` {{nouns_words}} of the player, newest first, from the one before `before`
/// on.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
    before: Option<{{Noun}}Id>,
    limit: i64,
) -> sqlx::Result<Vec<{{Noun}}>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, player_id, name, code, created_at, expires_at, expired_at
         FROM {{noun}} WHERE player_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
        player.uuid(),
        before.map_or(Uuid::max(), {{Noun}}Id::uuid),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Writes the time of the announcement; false if it was written before.
#[statement]
pub(crate) async fn mark_announced(
    conn: &mut PgConnection,
    id: {{Noun}}Id,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let marked = sqlx::query!(
        "UPDATE {{noun}} SET announced_at = $2 WHERE id = $1 AND announced_at IS NULL",
        id.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(marked.rows_affected() == 1)
}

/// Expires at most `limit` {{nouns_words}} that are due and that no other replica expires right
/// now; returns their number.
#[statement]
pub(crate) async fn expire(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let expired = sqlx::query!(
        "UPDATE {{noun}} SET expired_at = $1 WHERE id = ANY (ARRAY(
             SELECT id FROM {{noun}} WHERE expired_at IS NULL AND expires_at <= $1
             ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(expired.rows_affected())
}

/// Removes at most `limit` {{nouns_words}} that expired before a time; returns their number.
#[statement]
pub(crate) async fn delete_expired(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM {{noun}} WHERE id = ANY (ARRAY(
             SELECT id FROM {{noun}} WHERE expired_at < $1
             ORDER BY expired_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}
