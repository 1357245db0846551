//! Reading a payment.

use mesh::{auth::Player, instrument};

use crate::{
    app::{Cx, card::verify::look},
    domain::{Payment, PaymentId},
    error::{Error, Refused},
    store,
};

/// One of the caller's payments.
#[instrument(name = "wallet.payment", skip_all, fields(player.id = %player.id, payment.id = %id))]
pub(crate) async fn payment(cx: &Cx, player: Player, id: PaymentId) -> Result<Payment, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::payment::find(&mut conn, player.id, &[id]).await?;
    drop(conn);
    look(cx, &found).await;
    found.into_iter().next().ok_or_else(|| Refused::UnknownPayment.into())
}
