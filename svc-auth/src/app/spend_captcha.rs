//! Spends captchas.

use super::Cx;
use crate::{
    crypto::Solved,
    error::{Error, Refused},
    store,
};

/// Spends a captcha before the work that it pays for, so that concurrent requests with one
/// solution get one hash or one message. It stays spent when the request is refused, so that
/// testing whether an email is taken costs a captcha each time.
pub(super) async fn spend_captcha(cx: &Cx, solved: &Solved) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    if store::captcha::spend(&mut conn, &solved.signature, solved.expires_at).await? {
        Ok(())
    } else {
        Err(Refused::CaptchaExpired.into())
    }
}
