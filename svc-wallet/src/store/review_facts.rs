//! The facts about a wallet by which a withdrawal is reviewed.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId};

use crate::domain::{DAY, HouseAccount, ReviewFacts, WEEK};

/// Serialises the withdrawals of all players to one phone, until the transaction ends. Call it after
/// [`super::payment::lock_payer`].
#[statement]
pub(crate) async fn lock_phone(conn: &mut PgConnection, phone: &Msisdn) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 1))", phone.digits())
        .execute(conn)
        .await?;
    Ok(())
}

/// Reads the facts about a player's wallet before a withdrawal to `phone`. Call it after
/// [`super::payment::lock_payer`] and [`lock_phone`], so that of two withdrawals at once the second
/// counts the first. A boost that is paid meanwhile takes fresh money first, so it does not change
/// the decision.
///
/// The money of a former account is fresh, because a boost may have filled it, and so is what an
/// operator credited out of SUSPENSE, because a card may have paid it. What is given back, to a card or
/// for a package, cancels the line that it reverses, and no other. Money that left before fresh money
/// came does not reduce it: the sum never falls below zero.
#[statement]
pub(crate) async fn read(
    conn: &mut PgConnection,
    player: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> sqlx::Result<ReviewFacts> {
    let row = sqlx::query!(
        r#"WITH withdrawal AS (
               SELECT amount_cents, payment.created_at,
                      coalesce(review_fresh_cents, 0) AS fresh_cents,
                      review_reason IS NOT NULL AND state <> 'HELD' AS is_approved
               FROM payment JOIN b2c_payout ON payment_id = id
               WHERE payer_id = $1 AND payment.created_at > $3 AND kind = 'WITHDRAWAL'
                   AND state NOT IN ('FAILED', 'EXPIRED')
           ), sent AS (
               SELECT coalesce(sum(amount_cents)
                          FILTER (WHERE created_at > $2 AND NOT is_approved), 0)::bigint AS day,
                      coalesce(sum(amount_cents) FILTER (WHERE NOT is_approved), 0)::bigint
                          AS week,
                      coalesce(sum(fresh_cents) FILTER (WHERE NOT is_approved), 0)::bigint
                          AS fresh_sent
               FROM withdrawal
           ), to_phone AS (
               SELECT CASE WHEN bool_or(payer_id <> $1)
                           THEN sum(amount_cents) FILTER (WHERE review_reason IS NULL
                                                              OR state = 'HELD')
                      END::bigint AS shared
               FROM b2c_payout JOIN payment ON payment_id = id
               WHERE msisdn = $6 AND msisdn <> '' AND b2c_payout.created_at > $3
                   AND state NOT IN ('FAILED', 'EXPIRED')
           ), moved AS (
               SELECT sum(posting.amount_cents)::bigint AS amount_cents,
                      coalesce(original.created_at, posting.created_at) AS created_at,
                      min(seq) AS seq
               FROM posting
               JOIN journal ON journal.id = posting.journal_id
               LEFT JOIN journal AS original ON original.id = journal.reverses_id
               WHERE account_id = $1 AND posting.created_at > $3
                   AND coalesce(original.created_at, posting.created_at) > $3
                   AND (counterparty_id IN ($4, $5, $7) OR posting.kind IN ('BOOST', 'FORMER'))
               GROUP BY coalesce(original.id, journal.id), 2
               UNION ALL
               SELECT -fresh_cents, created_at, NULL FROM withdrawal
           ), summed AS (
               SELECT amount_cents, sum(amount_cents) OVER (ORDER BY created_at, seq) AS running
               FROM moved
           ), fresh_money AS (
               SELECT coalesce(sum(amount_cents) - least(0, min(running)), 0)::bigint AS fresh
               FROM summed
           )
           SELECT day AS "day!", week AS "week!", fresh_sent AS "fresh_sent!",
                  fresh AS "fresh!", shared,
                  coalesce((SELECT posted_cents - held_cents FROM wallet WHERE player_id = $1), 0)
                      AS "available!",
                  EXISTS (SELECT FROM payment WHERE payer_id = $1 AND created_at <= $3
                          AND kind = 'WITHDRAWAL' AND state = 'SUCCEEDED') AS "has_withdrawn!",
                  EXISTS (SELECT FROM posting JOIN card_payment ON payment_id = ref
                          WHERE account_id = $1 AND kind IN ('TOPUP', 'BOOST')
                              AND (dispute_state = 'OPEN'
                                  OR payment_id IN (SELECT payment_id FROM lost_dispute)))
                      AS "is_disputed!"
           FROM sent, to_phone, fresh_money"#,
        player.uuid(),
        now - DAY,
        now - WEEK,
        HouseAccount::CardReceivable.id(),
        HouseAccount::SubscriptionRevenue.id(),
        phone.digits(),
        HouseAccount::Suspense.id()
    )
    .fetch_one(conn)
    .await?;
    Ok(ReviewFacts {
        day: Money::from_cents(row.day),
        week: Money::from_cents(row.week),
        has_withdrawn: row.has_withdrawn,
        available: Money::from_cents(row.available),
        fresh: Money::from_cents(row.fresh),
        fresh_sent: Money::from_cents(row.fresh_sent),
        shared_phone: row.shared.map(Money::from_cents),
        is_disputed: row.is_disputed,
    })
}
