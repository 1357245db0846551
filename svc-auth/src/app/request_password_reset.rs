//! A wish for a new password.

use tracing::instrument;

use super::{Cx, mails};
use crate::{domain::Email, error::Error};

/// Owes the address a mail. Whether it has an account is not looked at here: this
/// takes the same time for every address because it does the same.
#[instrument(name = "auth.request_password_reset", skip_all)]
pub(crate) async fn request_password_reset(cx: &Cx, email: Email) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    mails::owe_reset(&mut conn, cx, &email).await?;
    cx.outbox.notify();
    Ok(())
}
