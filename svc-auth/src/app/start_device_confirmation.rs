//! Mails a code that confirms a device.

use mesh::{auth::Player, instrument};
use time::OffsetDateTime;

use super::{Cx, DEVICE_CODE_TOPIC, mails};
use crate::{
    domain::{ChallengeId, CodeRateLimit, DeviceChallenge},
    error::{Error, Refused},
    store,
};

/// A code that is being mailed.
pub(crate) struct CodeMailed {
    /// The address, with most of its letters left out.
    pub(crate) email_hint: String,
    pub(crate) expires_at: OffsetDateTime,
    pub(crate) resend_at: OffsetDateTime,
}

/// Mails a code to the address that the caller signs in with: an attacker who has taken over a
/// session or a phone number does not read that mailbox.
#[instrument(name = "auth.start_device_confirmation", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn start_device_confirmation(
    cx: &Cx,
    caller: Player,
) -> Result<CodeMailed, Error> {
    let (player, now) = (caller.id, cx.clock.now());
    let mut tx = cx.db.begin().await?;
    // Requests for one player wait for each other here.
    store::player::lock(&mut tx, player).await?.ok_or(Refused::PlayerGone)?;
    let address = store::identity::find_address(&mut tx, player).await?;
    let address = address.ok_or(Refused::NoConfirmationAddress)?;
    let last = store::device_challenge::find(&mut tx, player).await?;
    let sent = last.map(|last| last.sent).unwrap_or_default();
    let sent = CodeRateLimit::record(&sent, now).map_err(Refused::TooManyCodes)?;
    let challenge = ChallengeId::generate(&cx.clock, &cx.rng);
    let (expires_at, resend_at) =
        (now + DeviceChallenge::TTL, CodeRateLimit::resend_at(&sent, now));
    let new = DeviceChallenge { challenge, tries: 0, used_by: None, expires_at, sent };
    store::device_challenge::replace(&mut tx, player, &new, now + CodeRateLimit::PERIOD).await?;
    mails::enqueue_device_code(&mut tx, cx, player, &address, challenge).await?;
    tx.commit().await?;
    cx.outbox.notify(DEVICE_CODE_TOPIC);
    Ok(CodeMailed { email_hint: address.hint(), expires_at, resend_at })
}
