//! Creates a captcha.

use mesh::instrument;

use super::Cx;
use crate::{error::Error, store};

/// Returns a challenge, in JSON. Nothing is stored: the challenge is signed. Solving it takes more
/// work when much of the SMS budget is spent.
#[instrument(name = "auth.create_captcha", skip_all)]
pub(crate) async fn create_captcha(cx: &Cx) -> Result<String, Error> {
    let now = cx.clock.now();
    let factor = if cx.messaging.sms.is_some() {
        let mut conn = cx.db.acquire().await?;
        let spent = store::sms_spent::find_hour(&mut conn, now).await?;
        cx.messaging.sms_budget.captcha_factor(spent)
    } else {
        1
    };
    Ok(cx.captcha.create(factor, &cx.rng, now).await??)
}
