//! Tables `data_copy` and `data_copy_record`.

use mesh::{db::statement, grpc::player_data::PlayerRecord};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{DataCopy, Source};

/// The state of a player's copy that has not expired.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<Option<DataCopy>> {
    sqlx::query_as!(
        DataCopy,
        "SELECT requested_at, completed_at, expires_at FROM data_copy
         WHERE player_id = $1 AND expires_at > $2",
        player.uuid(),
        now,
    )
    .fetch_optional(conn)
    .await
}

/// Begins a copy of a locked player that no service has replied for; an expired one goes.
#[statement]
pub(crate) async fn begin(
    conn: &mut PgConnection,
    player: PlayerId,
    copy: DataCopy,
    missing: &[Source],
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM data_copy WHERE player_id = $1", player.uuid())
        .execute(&mut *conn)
        .await?;
    let missing: Vec<String> = missing.iter().map(|source| source.name().to_owned()).collect();
    sqlx::query!(
        "INSERT INTO data_copy (player_id, requested_at, missing, expires_at)
         VALUES ($1, $2, $3, $4)",
        player.uuid(),
        copy.requested_at,
        &missing,
        copy.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a copy lacks the records of a service.
#[statement]
pub(crate) async fn lacks(
    conn: &mut PgConnection,
    player: PlayerId,
    source: Source,
) -> sqlx::Result<bool> {
    let lacks = sqlx::query_scalar!(
        r#"SELECT $2 = ANY (missing) AS "lacks!" FROM data_copy WHERE player_id = $1"#,
        player.uuid(),
        source.name(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(lacks.unwrap_or(false))
}

/// Adds records of a service to a copy, the first of them at `place`; returns the place of the next.
/// A delivery of the same service at the same time violates the key, and is repeated.
#[statement]
pub(crate) async fn add(
    conn: &mut PgConnection,
    player: PlayerId,
    source: Source,
    place: i32,
    records: Vec<PlayerRecord>,
) -> sqlx::Result<i32> {
    let (sections, records): (Vec<String>, Vec<String>) =
        records.into_iter().map(|PlayerRecord { section, record }| (section, record)).unzip();
    let added = sqlx::query!(
        "INSERT INTO data_copy_record (player_id, service, place, section, record)
         SELECT $1, $2, $3::integer + place::integer - 1, section, record
         FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS new (section, record, place)",
        player.uuid(),
        source.name(),
        place,
        &sections,
        &records,
    )
    .execute(conn)
    .await?;
    let added = i32::try_from(added.rows_affected());
    Ok(place + added.map_err(|error| sqlx::Error::Decode(error.into()))?)
}

/// Records that a copy has all records of a service; returns whether it is now complete. A complete
/// copy is kept until `expires_at`.
#[statement]
pub(crate) async fn end_source(
    conn: &mut PgConnection,
    player: PlayerId,
    source: Source,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"UPDATE data_copy SET missing = array_remove(missing, $2),
               completed_at = CASE WHEN missing = ARRAY[$2] THEN $3::timestamptz END,
               expires_at = CASE WHEN missing = ARRAY[$2] THEN $4 ELSE expires_at END
           WHERE player_id = $1 RETURNING completed_at IS NOT NULL AS "complete!""#,
        player.uuid(),
        source.name(),
        now,
        expires_at,
    )
    .fetch_one(conn)
    .await
}

/// The records of a service in a player's copy from a place on, at most `limit`.
#[statement]
pub(crate) async fn list_records(
    conn: &mut PgConnection,
    player: PlayerId,
    source: Source,
    place: i32,
    limit: i64,
) -> sqlx::Result<Vec<PlayerRecord>> {
    sqlx::query_as!(
        PlayerRecord,
        "SELECT section, record FROM data_copy_record
         WHERE player_id = $1 AND service = $2 AND place >= $3 ORDER BY place LIMIT $4",
        player.uuid(),
        source.name(),
        place,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Deletes expired copies; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM data_copy WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM data_copy WHERE expires_at <= $1
           LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
