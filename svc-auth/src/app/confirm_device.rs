//! Confirms a device by the code of a mail.

use mesh::{auth::Player, instrument};
use metrics::counter;

use super::{Cx, session::remember_device};
use crate::{
    crypto::CodePurpose,
    domain::{Arrival, Code, DeviceId},
    error::{Error, Refused},
    store,
};

/// Lets money leave the caller's wallet by a device, which is a new one if the browser has no
/// token; returns the device's token. `code` is `None` for a text that is not a code.
#[instrument(name = "auth.confirm_device", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn confirm_device(
    cx: &Cx,
    caller: Player,
    code: Option<Code>,
    device: Option<DeviceId>,
) -> Result<String, Error> {
    let outcome = confirm(cx, caller, code, device).await;
    let label = match &outcome {
        Ok(_) => "right",
        Err(Error::Refused(Refused::BadCode)) => "wrong",
        Err(Error::Refused(Refused::CodeExpired)) => "expired",
        Err(_) => "failed",
    };
    counter!("device_codes_verified_total", "outcome" => label).increment(1);
    outcome
}

async fn confirm(
    cx: &Cx,
    caller: Player,
    code: Option<Code>,
    device: Option<DeviceId>,
) -> Result<String, Error> {
    let (player, now) = (caller.id, cx.clock.now());
    let code = code.ok_or(Refused::BadCode)?;
    let mut tx = cx.db.begin().await?;
    // Serialises the guesses of one player, so that at most five are compared.
    store::player::lock(&mut tx, player).await?.ok_or(Refused::PlayerGone)?;
    let found = store::device_challenge::find(&mut tx, player).await?;
    let sent = found.filter(|sent| sent.takes_guesses(device, now)).ok_or(Refused::CodeExpired)?;
    if !cx.messaging.codes.verify_derived(&code, CodePurpose::Device, sent.challenge) {
        store::device_challenge::count_guess(&mut tx, player).await?;
        tx.commit().await?;
        return Err(Refused::BadCode.into());
    }
    let device = device.unwrap_or_else(|| DeviceId::generate(&cx.clock, &cx.rng));
    let arrived = (Some(device), Arrival::Mail);
    let remembered = remember_device(&mut tx, cx, player, arrived, now).await?;
    store::device::confirm(&mut tx, player, device, now).await?;
    store::device_challenge::set_used(&mut tx, player, sent.challenge, device).await?;
    tx.commit().await?;
    Ok(remembered.token)
}
