//! Tables `push_subscription` and `notification_setting`.

use std::{collections::BTreeMap, time::Duration};

use mesh::{Language, db::statement};
use sqlx::{
    PgConnection,
    types::{Json, Uuid},
};
use time::OffsetDateTime;
use types::{PlayerId, SessionId};

use crate::domain::{
    BrowserKeys, NewSubscription, NotificationId, NotificationKind, NotificationSettings,
    PushSubscriptionId, QuietHours,
};

/// Stores a subscription, or refreshes the one with its endpoint. Another player's subscription
/// becomes a new one of this player, so that the other player's pending deliveries do not reach it.
/// False when the endpoint has other keys, which a browser never gives.
#[statement]
pub(crate) async fn upsert(
    conn: &mut PgConnection,
    id: PushSubscriptionId,
    new: &NewSubscription,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let stored = sqlx::query!(
        "INSERT INTO push_subscription AS own
             (id, player_id, session_id, endpoint, p256dh, auth, language, created_at, refreshed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         ON CONFLICT ON CONSTRAINT push_subscription_endpoint DO UPDATE SET
             id = CASE WHEN own.player_id = excluded.player_id THEN own.id ELSE excluded.id END,
             created_at = CASE WHEN own.player_id = excluded.player_id THEN own.created_at
                 ELSE excluded.created_at END,
             player_id = excluded.player_id,
             session_id = excluded.session_id,
             language = excluded.language,
             refreshed_at = excluded.refreshed_at,
             failures = 0,
             retry_at = NULL
         WHERE own.p256dh = excluded.p256dh AND own.auth = excluded.auth",
        id.uuid(),
        new.player.uuid(),
        new.session.uuid(),
        new.endpoint.as_str(),
        new.keys.p256dh().as_slice(),
        new.keys.auth().as_slice(),
        new.language.tag(),
        now
    )
    .execute(conn)
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Removes all but the `most` subscriptions of a player that were refreshed last.
#[statement]
pub(crate) async fn delete_excess(
    conn: &mut PgConnection,
    player: PlayerId,
    most: u32,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM push_subscription WHERE id IN (
             SELECT id FROM push_subscription WHERE player_id = $1
             ORDER BY refreshed_at DESC, id DESC OFFSET $2)",
        player.uuid(),
        i64::from(most)
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a player's subscription, or all of them without an endpoint.
#[statement]
pub(crate) async fn delete_of_player(
    conn: &mut PgConnection,
    player: PlayerId,
    endpoint: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM push_subscription WHERE player_id = $1 AND ($2::text IS NULL OR endpoint = $2)",
        player.uuid(),
        endpoint
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a subscription that has ended.
#[statement]
pub(crate) async fn delete(conn: &mut PgConnection, id: PushSubscriptionId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push_subscription WHERE id = $1", id.uuid()).execute(conn).await?;
    Ok(())
}

/// Removes a subscription of a session that has ended, unless another has refreshed it since.
#[statement]
pub(crate) async fn delete_of_session(
    conn: &mut PgConnection,
    id: PushSubscriptionId,
    session: SessionId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM push_subscription WHERE id = $1 AND session_id = $2",
        id.uuid(),
        session.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes at most `limit` subscriptions that were not refreshed since a time; returns their
/// number.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM push_subscription WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM push_subscription WHERE refreshed_at < $1
             ORDER BY refreshed_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}

/// The ids of players' subscriptions.
#[statement]
pub(crate) async fn list_ids(
    conn: &mut PgConnection,
    players: &[PlayerId],
) -> sqlx::Result<Vec<(PlayerId, PushSubscriptionId)>> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    let rows = sqlx::query!(
        "SELECT player_id, id FROM push_subscription WHERE player_id = ANY ($1)",
        &players
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.player_id.into(), row.id.into())).collect())
}

/// The data that the delivery of a notification to a browser needs.
pub(crate) struct PushDelivery {
    /// The session that registered the subscription or refreshed it last.
    pub(crate) session: SessionId,
    pub(crate) endpoint: String,
    pub(crate) keys: Option<BrowserKeys>,
    pub(crate) language: Language,
    pub(crate) retry_at: Option<OffsetDateTime>,
    /// `None` for a kind that only a newer replica has.
    pub(crate) kind: Option<NotificationKind>,
    pub(crate) params: BTreeMap<String, String>,
    pub(crate) occurred_at: OffsetDateTime,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) read: bool,
    pub(crate) settings: NotificationSettings,
}

/// A notification and a subscription, both of the same player; `None` when one of them is
/// gone.
#[statement]
pub(crate) async fn find_delivery(
    conn: &mut PgConnection,
    notification: NotificationId,
    subscription: PushSubscriptionId,
) -> sqlx::Result<Option<PushDelivery>> {
    let row = sqlx::query!(
        r#"SELECT own.session_id, own.endpoint, own.p256dh, own.auth, own.language, own.retry_at,
                  sent.kind, sent.params AS "params: Json<BTreeMap<String, String>>",
                  sent.occurred_at, sent.created_at, sent.read_at IS NOT NULL AS "read!",
                  setting.muted AS "muted?", setting.quiet_from AS "quiet_from?",
                  setting.quiet_until AS "quiet_until?"
           FROM push_subscription AS own
           JOIN notification AS sent ON sent.player_id = own.player_id AND sent.id = $2
           LEFT JOIN notification_setting AS setting ON setting.player_id = own.player_id
           WHERE own.id = $1"#,
        subscription.uuid(),
        notification.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| PushDelivery {
        session: row.session_id.into(),
        endpoint: row.endpoint,
        keys: BrowserKeys::parse(&row.p256dh, &row.auth).ok(),
        language: if row.language == "sw" { Language::Swahili } else { Language::English },
        retry_at: row.retry_at,
        kind: row.kind.parse().ok(),
        params: row.params.0,
        occurred_at: row.occurred_at,
        created_at: row.created_at,
        read: row.read,
        settings: settings(row.muted.unwrap_or_default(), row.quiet_from, row.quiet_until),
    }))
}

/// Resets the failures after a delivery, so that the next one may be tried at once.
#[statement]
pub(crate) async fn mark_delivered(
    conn: &mut PgConnection,
    id: PushSubscriptionId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE push_subscription SET failures = 0, retry_at = NULL
         WHERE id = $1 AND failures > 0",
        id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts a failed delivery; returns the number of consecutive failures.
#[statement]
pub(crate) async fn count_failure(
    conn: &mut PgConnection,
    id: PushSubscriptionId,
) -> sqlx::Result<u32> {
    let failures = sqlx::query_scalar!(
        "UPDATE push_subscription SET failures = failures + 1 WHERE id = $1 RETURNING failures",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(failures.and_then(|failures| u32::try_from(failures).ok()).unwrap_or(1))
}

/// Delivers nothing to a subscription until a time has passed.
#[statement]
pub(crate) async fn pause(
    conn: &mut PgConnection,
    id: PushSubscriptionId,
    now: OffsetDateTime,
    pause: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE push_subscription SET retry_at = $2 WHERE id = $1",
        id.uuid(),
        now + pause
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A player's settings.
#[statement]
pub(crate) async fn find_settings(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<NotificationSettings>> {
    let row = sqlx::query!(
        "SELECT muted, quiet_from, quiet_until FROM notification_setting WHERE player_id = $1",
        player.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| settings(row.muted, row.quiet_from, row.quiet_until)))
}

/// Replaces a player's settings.
#[statement]
pub(crate) async fn put_settings(
    conn: &mut PgConnection,
    player: PlayerId,
    settings: &NotificationSettings,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let muted: Vec<String> =
        settings.muted.iter().map(|topic| <&str>::from(topic).to_owned()).collect();
    let minute = |minute: u16| i16::try_from(minute).ok();
    sqlx::query!(
        "INSERT INTO notification_setting (player_id, muted, quiet_from, quiet_until, updated_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (player_id) DO UPDATE SET
             muted = excluded.muted, quiet_from = excluded.quiet_from,
             quiet_until = excluded.quiet_until, updated_at = excluded.updated_at",
        player.uuid(),
        &muted,
        settings.quiet_hours.and_then(|hours| minute(hours.from())),
        settings.quiet_hours.and_then(|hours| minute(hours.until())),
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Builds settings from the columns. A topic that only a newer replica knows is left out.
fn settings(muted: Vec<String>, from: Option<i16>, until: Option<i16>) -> NotificationSettings {
    let muted = muted.iter().filter_map(|topic| topic.parse().ok()).collect();
    let minute = |minute: Option<i16>| minute.and_then(|minute| u32::try_from(minute).ok());
    let hours = minute(from).zip(minute(until));
    let hours = hours.and_then(|(from, until)| QuietHours::new(from, until).ok());
    NotificationSettings::new(muted, hours)
}
