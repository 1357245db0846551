//! Requests a mail with a reset link.

use mesh::instrument;

use super::{Cx, RESET_TOPIC, mails};
use crate::{domain::Email, error::Error};

/// Enqueues the mail. Whether the address has an account is looked up later, by the outbox
/// handler, so that neither the reply nor its time reveals it.
#[instrument(name = "auth.request_password_reset", skip_all)]
pub(crate) async fn request_password_reset(cx: &Cx, email: Email) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    mails::enqueue_reset(&mut conn, cx, &email).await?;
    cx.outbox.notify(RESET_TOPIC);
    Ok(())
}
