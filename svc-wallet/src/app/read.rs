//! Queries without side effects.

use mesh::{auth::Player, instrument};
use types::{Money, Page};

use super::Cx;
use crate::{
    domain::{HistoryLine, ListedMethod, Payment, PaymentId},
    error::{Error, Refused},
    store,
};

/// The balance of the caller's wallet, and how much of it can be spent.
#[instrument(name = "wallet.balance", skip_all, fields(player.id = %player.id))]
pub(crate) async fn balance(cx: &Cx, player: Player) -> Result<(Money, Money), Error> {
    let mut conn = cx.db.acquire().await?;
    let (posted, held) = store::wallet::balance(&mut conn, player.id).await?;
    // `wallet_covers` keeps posted >= held.
    Ok((posted, posted.checked_sub(held).unwrap_or_default()))
}

/// A page of the caller's history, newest first.
#[instrument(name = "wallet.history", skip_all, fields(player.id = %player.id))]
pub(crate) async fn history(
    cx: &Cx,
    player: Player,
    page: Page,
) -> Result<Vec<HistoryLine>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::journal::history(&mut conn, player.id, page).await?)
}

/// The payment methods, in the order to show them.
#[instrument(name = "wallet.methods", skip_all)]
pub(crate) async fn methods(cx: &Cx) -> Result<Vec<ListedMethod>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::payment_method::list(&mut conn).await?)
}

/// One of the caller's payments.
#[instrument(name = "wallet.payment", skip_all, fields(player.id = %player.id, payment.id = %id))]
pub(crate) async fn payment(cx: &Cx, player: Player, id: PaymentId) -> Result<Payment, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::payment::find(&mut conn, player.id, &[id]).await?;
    found.into_iter().next().ok_or_else(|| Refused::UnknownPayment.into())
}
