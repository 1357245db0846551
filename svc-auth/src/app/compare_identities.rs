//! Compares players for another service, which pays one prize to a person.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{domain::SharedIdentity, error::Error, store};

/// The devices and phones that players share, and the players without a phone.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) shared: Vec<SharedIdentity>,
    pub(crate) without_phone: Vec<PlayerId>,
}

/// Finds which of the players share a device or a phone, and which have proven no phone.
#[instrument(name = "auth.compare_identities", skip_all, fields(count = players.len()))]
pub(crate) async fn compare_identities(cx: &Cx, players: &[PlayerId]) -> Result<Compared, Error> {
    let mut conn = cx.db.acquire().await?;
    let mut shared = store::person::shared_phones(&mut conn, players).await?;
    shared.extend(store::person::shared_devices(&mut conn, players).await?);
    let without_phone = store::person::without_phone(&mut conn, players).await?;
    Ok(Compared { shared, without_phone })
}
