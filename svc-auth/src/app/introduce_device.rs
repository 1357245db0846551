//! Issues device tokens to browsers that have none.

use mesh::instrument;

use super::{Cx, spend_captcha::spend_captcha};
use crate::{
    domain::DeviceId,
    error::{Error, Refused},
};

/// The token of a new device, for a solved captcha. No player is known on the device until they
/// sign in on it.
#[instrument(name = "auth.introduce_device", skip_all)]
pub(crate) async fn introduce_device(cx: &Cx, captcha: &str) -> Result<String, Error> {
    let solved = cx.captcha.verify(captcha, cx.clock.now()).ok_or(Refused::CaptchaExpired)?;
    spend_captcha(cx, &solved).await?;
    let device = DeviceId::generate(&cx.clock, &cx.rng);
    Ok(cx.devices.issue(device.uuid()))
}
