//! What a captcha pays for, it pays for once.

use super::Cx;
use crate::{
    crypto::Solved,
    error::{Error, Refused},
    store,
};

/// Uses a captcha up, for good and before the work that it pays for: one solution
/// sent a hundred times at once buys one hash or one message, and asking whether an
/// email is taken costs work each time.
pub(super) async fn spend_captcha(cx: &Cx, solved: &Solved) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    if store::captcha::spend(&mut conn, &solved.signature, solved.expires_at).await? {
        Ok(())
    } else {
        Err(Refused::CaptchaExpired.into())
    }
}
