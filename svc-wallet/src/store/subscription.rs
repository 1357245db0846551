//! `subscription`, `subscription_day`: the packages that players hold, and the payments that bought
//! their days.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;
use uuid::Uuid;

use crate::domain::{Package, PaymentId, Subscription, SubscriptionId, Term};

/// Makes other transactions that change subscriptions of this player wait until this one
/// ends. Call it after the lock of the payment and before the ledger, which locks wallets.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('subscription/' || $1::text, 0))",
        player.to_string()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The player's subscription of a package that ends last, if there is one.
#[statement]
pub(crate) async fn latest(
    conn: &mut PgConnection,
    player: PlayerId,
    package: Package,
) -> sqlx::Result<Option<Subscription>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, package, starts_at, expires_at FROM subscription
         WHERE player_id = $1 AND package = $2 ORDER BY expires_at DESC LIMIT 1",
        player.uuid(),
        package.key()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// The player's subscriptions, by their ends, latest first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<Subscription>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, package, starts_at, expires_at FROM subscription
         WHERE player_id = $1 ORDER BY expires_at DESC, id LIMIT $2",
        player.uuid(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// The packages that these players held at a time of their own, some of them more than one.
#[statement]
pub(crate) async fn held(
    conn: &mut PgConnection,
    players: &[(PlayerId, OffsetDateTime)],
) -> sqlx::Result<Vec<(PlayerId, Package)>> {
    let (ids, times): (Vec<Uuid>, Vec<OffsetDateTime>) =
        players.iter().map(|(player, at)| (player.uuid(), *at)).unzip();
    let rows = sqlx::query!(
        "SELECT held.player_id, held.package
         FROM unnest($1::uuid[], $2::timestamptz[]) AS asked (player_id, at)
         JOIN subscription AS held ON held.player_id = asked.player_id
             AND held.expires_at > asked.at AND held.starts_at <= asked.at",
        &ids,
        &times
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| Ok((row.player_id.into(), parse(&row.package)?))).collect()
}

/// Stores a new subscription.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    subscription: &Subscription,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO subscription (id, player_id, package, starts_at, expires_at)
         VALUES ($1, $2, $3, $4, $5)",
        subscription.id.uuid(),
        player.uuid(),
        subscription.package.key(),
        subscription.term.starts_at,
        subscription.term.expires_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Changes when a subscription ends.
#[statement]
pub(crate) async fn set_expiry(
    conn: &mut PgConnection,
    id: SubscriptionId,
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE subscription SET expires_at = $2 WHERE id = $1", id.uuid(), expires_at)
        .execute(conn)
        .await?;
    Ok(())
}

/// Marks subscriptions that end after `now` and until `until`, each end once, and returns
/// them with their players.
#[statement]
pub(crate) async fn mark_ending(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    until: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<(PlayerId, Subscription)>> {
    let rows = sqlx::query!(
        "UPDATE subscription SET notified_end = expires_at
         WHERE id = ANY (ARRAY(
           SELECT id FROM subscription
           WHERE expires_at > $1 AND expires_at <= $2
             AND notified_end IS DISTINCT FROM expires_at
           ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED))
         RETURNING id, player_id, package, starts_at, expires_at",
        now,
        until,
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let held = Row {
                id: row.id,
                package: row.package,
                starts_at: row.starts_at,
                expires_at: row.expires_at,
            };
            Ok((row.player_id.into(), held.parse()?))
        })
        .collect()
}

/// Whether the payment has bought its day already.
#[statement]
pub(crate) async fn has_day(conn: &mut PgConnection, payment: PaymentId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM subscription_day WHERE payment_id = $1) AS "found!""#,
        payment.uuid()
    )
    .fetch_one(conn)
    .await
}

/// Stores which subscription has the day that a payment bought.
#[statement]
pub(crate) async fn insert_day(
    conn: &mut PgConnection,
    payment: PaymentId,
    subscription: SubscriptionId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO subscription_day (payment_id, subscription_id, granted_at)
         VALUES ($1, $2, $3)",
        payment.uuid(),
        subscription.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks the day of a payment as revoked, and returns its subscription; `None` when the day was
/// revoked before, or the payment bought none.
#[statement]
pub(crate) async fn revoke_day(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
) -> sqlx::Result<Option<Subscription>> {
    let row = sqlx::query_as!(
        Row,
        "UPDATE subscription_day AS day SET revoked_at = $2
         FROM subscription AS held
         WHERE day.payment_id = $1 AND day.revoked_at IS NULL AND held.id = day.subscription_id
         RETURNING held.id, held.package, held.starts_at, held.expires_at",
        payment.uuid(),
        at
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

struct Row {
    id: Uuid,
    package: String,
    starts_at: OffsetDateTime,
    expires_at: OffsetDateTime,
}

impl Row {
    fn parse(self) -> sqlx::Result<Subscription> {
        Ok(Subscription {
            id: self.id.into(),
            package: parse(&self.package)?,
            term: Term { starts_at: self.starts_at, expires_at: self.expires_at },
        })
    }
}

fn parse(package: &str) -> sqlx::Result<Package> {
    super::parse("subscription.package", package)
}
