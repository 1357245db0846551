//! How players reach PlayOn's support.

use mesh::instrument;

use super::Cx;
use crate::{domain::ContactSetting, error::Error, store};

/// The contact settings, in the order to show them.
#[instrument(name = "chat.list_contact_settings", skip_all)]
pub(crate) async fn list_contact_settings(cx: &Cx) -> Result<Vec<ContactSetting>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::content::contact_settings(&mut conn).await?)
}
