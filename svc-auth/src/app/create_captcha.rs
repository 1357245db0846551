//! A fresh challenge for the widget.

use anyhow::Context as _;
use tracing::instrument;

use super::Cx;
use crate::error::Error;

/// A challenge, as JSON. Nothing is stored: the challenge carries its own proof.
#[instrument(name = "auth.create_captcha", skip_all)]
pub(crate) async fn create_captcha(cx: &Cx) -> Result<String, Error> {
    let (captcha, chance, now) = (cx.captcha.clone(), cx.chance.clone(), cx.clock.now());
    // One try of its own work, about a millisecond: too long for a thread that
    // others wait on.
    let made = tokio::task::spawn_blocking(move || captcha.challenge(&chance, now));
    Ok(made.await.context("a captcha thread died")??)
}
