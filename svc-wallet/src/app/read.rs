//! Looking, without touching.

use mesh::auth::Player;
use tracing::instrument;
use types::{Money, Page};

use super::Cx;
use crate::{
    domain::{Line, Listed, Payment, PaymentId},
    error::{Error, Refused},
    store,
};

/// What is in the caller's wallet, and what of it can be spent.
#[instrument(name = "wallet.balance", skip_all, fields(player.id = %player.id))]
pub async fn balance(cx: &Cx, player: Player) -> Result<(Money, Money), Error> {
    let mut conn = cx.pool.acquire().await?;
    let (posted, held) = store::wallet::balance(&mut conn, player.id).await?;
    // The table holds posted >= held.
    Ok((posted, posted.checked_sub(held).unwrap_or_default()))
}

/// The caller's history, newest first.
#[instrument(name = "wallet.history", skip_all, fields(player.id = %player.id))]
pub async fn history(cx: &Cx, player: Player, page: Page) -> Result<Vec<Line>, Error> {
    let mut conn = cx.pool.acquire().await?;
    Ok(store::ledger::history(&mut conn, player.id, page).await?)
}

/// The ways to pay.
#[instrument(name = "wallet.methods", skip_all)]
pub async fn methods(cx: &Cx) -> Result<Vec<Listed>, Error> {
    let mut conn = cx.pool.acquire().await?;
    Ok(store::method::list(&mut conn).await?)
}

/// One payment of the caller's.
#[instrument(name = "wallet.payment", skip_all, fields(player.id = %player.id, payment.id = %id))]
pub async fn payment(cx: &Cx, player: Player, id: PaymentId) -> Result<Payment, Error> {
    let mut conn = cx.pool.acquire().await?;
    let found = store::payment::find(&mut conn, player.id, &[id]).await?;
    found.into_iter().next().ok_or_else(|| Refused::UnknownPayment.into())
}
