//! The money of the promotions account: reserved for contests, checked whenever it is given away.

use mesh::instrument;
use sqlx::PgConnection;

use crate::{
    app::Cx,
    domain::{OpenReservation, Promotions, PromotionsSpent, Reservation},
    error::{Error, Refused},
    store,
};

/// Reservations in a reply to an operator.
const LISTED: i64 = 100;

/// Reserves money for the awards of a contest. A repeat changes nothing. More than the account has
/// free is refused; a smaller amount than before never is.
#[instrument(name = "wallet.reserve_awards", skip_all,
    fields(reservation.id = %reservation.id))]
pub(crate) async fn reserve_awards(cx: &Cx, reservation: &Reservation) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    store::promotion::lock(&mut tx).await?;
    let before = store::promotion::read(&mut tx, now).await?;
    store::promotion::reserve(&mut tx, reservation).await?;
    let after = store::promotion::read(&mut tx, now).await?;
    if after.reserved > before.reserved && !after.covers_reservations() {
        // Returning here rolls the transaction back.
        return Err(Refused::from(PromotionsSpent { free: before.free() }).into());
    }
    Ok(tx.commit().await?)
}

/// Refuses what was posted from the account in this transaction, if the account could not pay it.
/// `from_reservation` says whether a reservation had the money.
pub(crate) async fn check_promotions(
    conn: &mut PgConnection,
    cx: &Cx,
    from_reservation: bool,
) -> Result<(), Error> {
    let after = store::promotion::read(conn, cx.clock.now()).await?;
    if after.could_pay(from_reservation) {
        return Ok(());
    }
    Err(Refused::from(PromotionsSpent { free: after.free() }).into())
}

/// Returns the account, with the open reservations that end first.
#[instrument(name = "wallet.get_promotions", skip_all)]
pub(crate) async fn get_promotions(cx: &Cx) -> Result<(Promotions, Vec<OpenReservation>), Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let promotions = store::promotion::read(&mut conn, now).await?;
    Ok((promotions, store::promotion::open(&mut conn, now, LISTED).await?))
}
