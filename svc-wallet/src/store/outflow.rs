//! What has left a wallet, and where its money came from, for the review of a withdrawal.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use crate::domain::{DAY, HouseAccount, Outflow, WEEK};

/// Reads a player's outflow before a withdrawal. Call it after [`super::payment::lock_payer`], so
/// that of two withdrawals at once the second counts the first. A boost that is paid meanwhile
/// takes fresh money first, so it does not change the decision.
#[statement]
pub(crate) async fn read(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<Outflow> {
    let row = sqlx::query!(
        r#"WITH sent AS (
               SELECT coalesce(sum(amount_cents) FILTER (WHERE created_at > $2), 0)::bigint AS day,
                      coalesce(sum(amount_cents), 0)::bigint AS week
               FROM payment WHERE payer_id = $1 AND created_at > $3 AND kind = 'WITHDRAWAL'
                   AND state NOT IN ('FAILED', 'EXPIRED')
           ), come AS (
               SELECT coalesce(sum(amount_cents), 0)::bigint AS fresh
               FROM posting WHERE account_id = $1 AND created_at > $3
                   AND (counterparty_id = $4 OR kind IN ('BOOST', 'SUBSCRIPTION'))
           )
           SELECT day AS "day!", week AS "week!", fresh AS "fresh!",
                  coalesce((SELECT posted_cents - held_cents FROM wallet WHERE player_id = $1), 0)
                      AS "available!",
                  EXISTS (SELECT FROM payment WHERE payer_id = $1 AND created_at <= $3
                          AND kind = 'WITHDRAWAL' AND state = 'SUCCEEDED') AS "has_withdrawn!",
                  EXISTS (SELECT FROM card_payment JOIN payment ON payment.id = payment_id
                          WHERE dispute_state = 'OPEN' AND beneficiary_id = $1) AS "is_disputed!"
           FROM sent, come"#,
        player.uuid(),
        now - DAY,
        now - WEEK,
        HouseAccount::CardReceivable.id()
    )
    .fetch_one(conn)
    .await?;
    Ok(Outflow {
        day: Money::from_cents(row.day),
        week: Money::from_cents(row.week),
        has_withdrawn: row.has_withdrawn,
        available: Money::from_cents(row.available),
        fresh: Money::from_cents(row.fresh),
        is_disputed: row.is_disputed,
    })
}
