//! A fresh challenge for the widget.

use anyhow::Context as _;
use tracing::instrument;

use super::Cx;
use crate::{error::Error, store};

/// A challenge, as JSON. Nothing is stored: the challenge carries its own proof. It is
/// more work when much has been spent on codes.
#[instrument(name = "auth.create_captcha", skip_all)]
pub(crate) async fn create_captcha(cx: &Cx) -> Result<String, Error> {
    let (captcha, rng, now) = (cx.captcha.clone(), cx.rng.clone(), cx.clock.now());
    let factor = if cx.messaging.sms.is_some() {
        let mut conn = cx.db.acquire().await?;
        let spent = store::sending::spent_this_hour(&mut conn, now).await?;
        cx.messaging.budget.captcha_factor(spent)
    } else {
        1
    };
    // One try of its own work, about a millisecond: too long for a thread that
    // others wait on.
    let made = tokio::task::spawn_blocking(move || captcha.challenge(factor, &rng, now));
    Ok(made.await.context("a captcha thread died")??)
}
