//! Redeems a friend's referral code.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    domain::ReferralCode,
    error::{Error, Refused},
    store,
};

/// Records whose code the caller entered, which can be done once. `code` is `None` for a text that
/// does not have the form of a code.
#[instrument(name = "auth.redeem_referral", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn redeem_referral(
    cx: &Cx,
    caller: Player,
    code: Option<ReferralCode>,
) -> Result<(), Error> {
    let code = code.ok_or(Refused::ReferralNotFound)?;
    let mut conn = cx.db.acquire().await?;
    let owner = store::referral::find_owner(&mut conn, &code).await?;
    let inviter = owner.ok_or(Refused::ReferralNotFound)?;
    if inviter == caller.id {
        return Err(Refused::OwnReferral.into());
    }
    // The primary key decides between concurrent calls.
    if store::referral::insert(&mut conn, caller.id, inviter, cx.clock.now()).await? {
        Ok(())
    } else {
        Err(Refused::ReferralUsed.into())
    }
}
