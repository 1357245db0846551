//! Table `notification`.

use std::collections::{BTreeMap, HashSet};

use mesh::db::statement;
use serde_json::json;
use sqlx::{
    PgConnection,
    types::{Json, Uuid},
};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{NewNotification, NotificationId, NotificationState, Source};

/// Stores notifications and returns the ids of those that are new. A notification that is not among
/// them has a source that its caller has used before: [`find_by_source`] returns the first one.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    new: &[(NotificationId, NewNotification)],
    now: OffsetDateTime,
) -> sqlx::Result<HashSet<NotificationId>> {
    let players: Vec<Uuid> = new.iter().map(|(_, new)| new.player.uuid()).collect();
    let ids: Vec<Uuid> = new.iter().map(|(id, _)| id.uuid()).collect();
    let kinds: Vec<&str> = new.iter().map(|(_, new)| new.kind.into()).collect();
    let params: Vec<_> =
        new.iter().map(|(_, new)| json!(new.params.as_map()).to_string()).collect();
    let callers: Vec<&str> = new.iter().map(|(_, new)| new.caller).collect();
    let sources: Vec<&str> = new.iter().map(|(_, new)| new.source.as_str()).collect();
    let times: Vec<OffsetDateTime> = new.iter().map(|(_, new)| new.occurred_at).collect();
    let inserted = sqlx::query_scalar!(
        "INSERT INTO notification
             (player_id, id, kind, params, caller, source, occurred_at, created_at)
         SELECT player_id, id, kind, params::json, caller, source, occurred_at, $8
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
                     $7::timestamptz[])
             AS new (player_id, id, kind, params, caller, source, occurred_at)
         ON CONFLICT ON CONSTRAINT notification_source DO NOTHING
         RETURNING id",
        &players,
        &ids,
        &kinds as _,
        &params,
        &callers as _,
        &sources as _,
        &times,
        now
    )
    .fetch_all(conn)
    .await?;
    Ok(inserted.into_iter().map(Into::into).collect())
}

/// The content of a stored notification.
pub(crate) struct StoredContent {
    pub(crate) player: PlayerId,
    pub(crate) kind: String,
    pub(crate) params: BTreeMap<String, String>,
}

/// The content that a caller stored under a source.
#[statement]
pub(crate) async fn find_by_source(
    conn: &mut PgConnection,
    caller: &str,
    source: &Source,
) -> sqlx::Result<Option<StoredContent>> {
    let row = sqlx::query!(
        r#"SELECT player_id, kind, params AS "params: Json<BTreeMap<String, String>>"
           FROM notification WHERE caller = $1 AND source = $2"#,
        caller,
        source.as_str()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| StoredContent {
        player: row.player_id.into(),
        kind: row.kind,
        params: row.params.0,
    }))
}

/// The number of unread notifications, counted to the limit, and the newest one.
#[statement]
pub(crate) async fn state(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<NotificationState> {
    let row = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM (SELECT FROM notification
                   WHERE player_id = $1 AND read_at IS NULL LIMIT $2) AS counted) AS "unread!",
                  (SELECT id FROM notification WHERE player_id = $1
                   ORDER BY id DESC LIMIT 1) AS newest"#,
        player.uuid(),
        i64::from(NotificationState::MOST)
    )
    .fetch_one(conn)
    .await?;
    Ok(NotificationState {
        unread: u32::try_from(row.unread).unwrap_or(NotificationState::MOST),
        newest: row.newest.map(Into::into),
    })
}

/// Marks the player's unread notifications among `ids` as read, or all of them without
/// `ids`; returns their number.
#[statement]
pub(crate) async fn mark_read(
    conn: &mut PgConnection,
    player: PlayerId,
    ids: Option<&[NotificationId]>,
    now: OffsetDateTime,
) -> sqlx::Result<u64> {
    let ids: Option<Vec<Uuid>> = ids.map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let marked = sqlx::query!(
        "UPDATE notification SET read_at = $3
         WHERE player_id = $1 AND read_at IS NULL AND ($2::uuid[] IS NULL OR id = ANY ($2))",
        player.uuid(),
        ids.as_deref(),
        now
    )
    .execute(conn)
    .await?;
    Ok(marked.rows_affected())
}

/// Whether one of these is a notification of the player, read or not.
#[statement]
pub(crate) async fn exists_any(
    conn: &mut PgConnection,
    player: PlayerId,
    ids: &[NotificationId],
) -> sqlx::Result<bool> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM notification WHERE player_id = $1 AND id = ANY ($2))
               AS "exists!""#,
        player.uuid(),
        &ids
    )
    .fetch_one(conn)
    .await
}

/// Removes the notifications of a caller with these sources; returns the players who had them.
#[statement]
pub(crate) async fn delete_of_sources(
    conn: &mut PgConnection,
    caller: &str,
    sources: &[String],
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        "DELETE FROM notification WHERE caller = $1 AND source = ANY ($2) RETURNING player_id",
        caller,
        sources
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

/// Removes at most `limit` notifications that were stored before a time; returns their number.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM notification WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM notification WHERE created_at < $1
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}
