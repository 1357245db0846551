//! Changes the caller's own profile.

use mesh::{auth::Player, instrument};
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{Draft, Profile, ReferenceData},
    error::{Error, Refused},
    store,
};

/// A request to change a profile.
pub(crate) struct UpdateProfile {
    /// `None` when the uid is not a player's id, and so not the caller's.
    pub(crate) player: Option<PlayerId>,
    pub(crate) draft: Draft,
}

/// Changes all the given fields, or none.
#[instrument(name = "auth.update_profile", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn update_profile(
    cx: &Cx,
    caller: Player,
    command: UpdateProfile,
) -> Result<Profile, Error> {
    if command.player != Some(caller.id) {
        return Err(Refused::ForeignProfile.into());
    }
    let draft = command.draft;
    let mut tx = cx.db.begin().await?;
    let (currency, country) = (draft.currency_code(), draft.country_code());
    let exists = store::reference::find(&mut tx, currency, country).await?;
    let now = cx.clock.now();
    let data =
        ReferenceData { now, currency_exists: exists.currency, country_exists: exists.country };
    let edit = draft.validate(data, &cx.reserved).map_err(Refused::Invalid)?;
    if edit.is_empty() {
        return Err(Refused::NothingToChange.into());
    }
    let updated = store::player::update(&mut tx, caller.id, &edit, now).await?;
    let profile = updated.ok_or(Refused::PlayerGone)?;
    tx.commit().await?;
    Ok(profile)
}
