//! `promotion_reservation`, and the postings of the promotions account.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;

use crate::domain::{HouseAccount, OpenReservation, Promotions, Reservation, ReservationId};

/// Makes others wait who would spend the account's money, until the transaction ends. Call it after
/// the locks of wallets.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('promotions', 0))")
        .execute(conn)
        .await?;
    Ok(())
}

/// Reads the account. Its postings since the first funding are summed, from the index of histories:
/// they are awards, some hundred a day, and few others. What was given away before was promised by
/// no funding. Without any funding, nothing is left.
#[statement]
pub(crate) async fn read(conn: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Promotions> {
    let row = sqlx::query!(
        r#"SELECT (SELECT coalesce(sum(amount_cents), 0)::bigint FROM posting
                   WHERE account_id = $1 AND seq >= coalesce((
                       SELECT min(seq) FROM posting
                       WHERE account_id = $1 AND kind = 'FUNDING'), 0)) AS "left!",
                  (SELECT coalesce(sum(amount_cents - paid_cents), 0)::bigint
                   FROM promotion_reservation
                   WHERE paid_cents < amount_cents AND until > $2) AS "reserved!""#,
        HouseAccount::Promotions.id(),
        now
    )
    .fetch_one(conn)
    .await?;
    Ok(Promotions { left: Money::from_cents(row.left), reserved: Money::from_cents(row.reserved) })
}

/// Stores a reservation in place of the one before; what was paid from it stays.
#[statement]
pub(crate) async fn reserve(
    conn: &mut PgConnection,
    reservation: &Reservation,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO promotion_reservation (id, purpose, amount_cents, until)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET purpose = $2, amount_cents = $3, until = $4",
        reservation.id.uuid(),
        reservation.purpose,
        reservation.amount.cents(),
        reservation.until
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes an award from a reservation; false where the reservation has too little, and is left as
/// it is.
#[statement]
pub(crate) async fn pay(
    conn: &mut PgConnection,
    id: ReservationId,
    amount: Money,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let paid = sqlx::query!(
        "UPDATE promotion_reservation SET paid_cents = paid_cents + $2
         WHERE id = $1 AND paid_cents + $2 <= amount_cents AND until > $3",
        id.uuid(),
        amount.cents(),
        now
    )
    .execute(conn)
    .await?;
    Ok(paid.rows_affected() == 1)
}

/// Returns the open reservations that end first, at most `limit`.
#[statement]
pub(crate) async fn open(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<OpenReservation>> {
    let rows = sqlx::query!(
        "SELECT id, purpose, amount_cents, paid_cents, until FROM promotion_reservation
         WHERE paid_cents < amount_cents AND until > $1 ORDER BY until, id LIMIT $2",
        now,
        limit
    )
    .fetch_all(conn)
    .await?;
    let open = rows.into_iter().map(|row| OpenReservation {
        reservation: Reservation {
            id: row.id.into(),
            purpose: row.purpose,
            amount: Money::from_cents(row.amount_cents),
            until: row.until,
        },
        paid: Money::from_cents(row.paid_cents),
    });
    Ok(open.collect())
}
