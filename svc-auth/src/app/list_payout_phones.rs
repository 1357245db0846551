//! Reads the phones to which the caller's withdrawals may go.

use mesh::{auth::Player, instrument};
use time::OffsetDateTime;
use types::Msisdn;

use super::Cx;
use crate::{domain::PayoutPhone, error::Error, store};

/// Returns the phones that the caller has proven, the newest first.
#[instrument(name = "auth.list_payout_phones", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn list_payout_phones(cx: &Cx, caller: Player) -> Result<Vec<PayoutPhone>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::payout_phone::list(&mut conn, caller.id).await?)
}

/// Returns from when the caller's withdrawals may go to a phone; `None` when the caller has not
/// proven it.
#[instrument(name = "auth.get_payout_phone", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_payout_phone(
    cx: &Cx,
    caller: Player,
    phone: &Msisdn,
) -> Result<Option<OffsetDateTime>, Error> {
    let mut conn = cx.db.acquire().await?;
    let phones = store::payout_phone::list(&mut conn, caller.id).await?;
    Ok(phones.into_iter().find(|proven| proven.phone == *phone).map(|proven| proven.opens_at))
}
